"""`jax.vjp` and what it gives: binding gradient refs, applying, the values that come back."""

from __future__ import annotations

import ast

from jaxref.domain.heap import OpaqueObject, RefObject, VjpObject
from jaxref.domain.trees import Tree, TreeDef, flatten, leaf_values, unflatten
from jaxref.domain.values import (
    FALSE,
    NO_TRACES,
    NONE,
    UNKNOWN,
    Array,
    BoundMethod,
    Const,
    Function,
    Method,
    Native,
    Opaque,
    RefValue,
    Sentinel,
    Structure,
    Transformed,
    Tuple,
    Value,
    Vjp,
)
from jaxref.facts import (
    Binding,
    BindingUnused,
    Entry,
    FunctionTraced,
    PrimalLeaf,
    RefsBound,
    Rematerialised,
    Trace,
    VjpApplied,
    VjpInfo,
)
from jaxref.jaxmodel import refs
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.registry import Call, describe
from jaxref.jaxmodel.tracing import (
    argnum_list,
    depending,
    function_name,
    into_trace,
    known_argument,
    out_of_trace,
    parameter_names,
    primal_leaves,
    ref_options,
    rehome,
    taint_of,
    truth,
)
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine, TraceLog


# -- what functions are called and take ----------------------------------------------------------


@describe("jax.vjp")
def vjp(m: Machine, call: Call) -> Value:
    """`jax.vjp(fun, *primals, has_aux=False, saveable_args=True)`."""
    function = call.argument(0, "fun", UNKNOWN)
    assert function is not None
    primals = {index: known_argument(m, call, index) for index in range(1, len(call.args))}
    out, pullback, aux = differentiate(m, call, function, primals, "jax.vjp")
    if aux is None and pullback is None:
        return UNKNOWN
    items = (out, pullback or UNKNOWN) if aux is None else (out, pullback or UNKNOWN, aux)
    if truth(call.kwargs.get("has_aux"), False) is None:
        return m.new_list(None, UNKNOWN, "tuple")
    return Tuple(items)


def differentiate(
    m: Machine, call: Call, function: Value, positions: dict[int, Value], maker: str,
    all_args: dict[int, Value] | None = None,
) -> tuple[Value, Value | None, Value | None]:  # fmt: skip
    """Evaluate `function` under a differentiation trace: its value, the VJP and the auxiliary value.

    `positions` are the differentiated arguments by their index in `call.args`; `all_args` all that
    the function is called with, when those are more.
    """
    name = function_name(function)
    before = primal_leaves(m, call, positions)
    arg_refs = frozenset(ref.id for leaf in before for ref, _ in leaf.refs)
    for leaf in before:
        for ref, _ in leaf.refs:
            m.touch(ref, call.node, use=False)
    trace = m.new_trace("grad", maker, call.node, name, arg_refs)
    given = positions if all_args is None else all_args
    with m.tracing(trace) as log:
        args = tuple(
            into_trace(m, value, trace.id, taint=index in positions)
            if index in positions
            else value
            for index, value in given.items()
        )
        result = m.call(function, Call(call.node, args, {}, call.open, (None,) * len(args)))
    has_aux = truth(call.kwargs.get("has_aux"), False)
    aux: Value | None = None
    if has_aux:
        parts = m.items(result).exact
        result, aux = (
            (parts[0], parts[1]) if parts is not None and len(parts) == 2 else (UNKNOWN, UNKNOWN)
        )
        aux = out_of_trace(m, aux, trace.id)
        rehome(m, aux, trace.id)
    elif has_aux is None:
        result = UNKNOWN
    m.state_fact(_traced(m, call, trace, log, before))
    rehome(m, result, trace.id)
    out = out_of_trace(m, result, trace.id)
    marks = what_matters(m, result, arg_refs)
    uses = rematerialised(m, log, marks)
    leaves = tuple(_with_log(m, leaf, log, marks) for leaf in before)
    treedef = TreeDef("tuple", tuple(flatten(value, m.st).treedef for value in positions.values()))
    if call.open:
        treedef = TreeDef("unknown")
    unsaved = _unsaved(m, call.kwargs.get("saveable_args"), list(positions.values()), function)
    texts = tuple(call.texts[i] if i < len(call.texts) else "" for i in positions)
    info = VjpInfo(
        m.site(call.node), maker, name, leaves, treedef, texts, parameter_names(m, function), has_aux,
        flatten(out, m.st), bool(uses) or (marks is None and bool(log.checkpointed & arg_refs)),
        frozenset(log.captured), log.residual_refs, unsaved,
        call.node if isinstance(call.node, ast.Call) else None, bool(m.frame.uncertain), uses,
    )  # fmt: skip
    m.recent["first use"] = next(
        (log.used[ref.id] for leaf in before for ref, _ in leaf.refs if ref.id in log.used), None
    )
    pullback = Vjp(m.allocate(VjpObject(info)))
    if isinstance(call.node, ast.Call):
        m.see(call.node.func, pullback)
    return out, pullback, aux


def _unsaved(
    m: Machine, saveable: Value | None, primals: list[Value], function: Value
) -> tuple[int, ...]:
    """The positions of primals with array leaves that `saveable_args` keeps out of the residuals."""
    if saveable is None:
        return ()
    found = []
    parameters, needed = parameter_names(m, function), _multiplied_parameters(function)
    for index, primal in enumerate(primals):
        wanted = (
            saveable.items[index]
            if isinstance(saveable, Tuple) and index < len(saveable.items)
            else saveable
        )
        left_out = any(leaf.value == FALSE for leaf in flatten(wanted, m.st).leaves)
        # Python numbers are constants of the VJP and need no restoring.
        arrays = any(
            isinstance(leaf, Array) and leaf.origin != "python"
            for leaf in leaf_values(primal, m.st)
        )
        if left_out and arrays and index < len(parameters) and parameters[index] in needed:
            found.append(index)
    return tuple(found)


_PRODUCTS = frozenset(
    {"dot", "matmul", "vdot", "einsum", "multiply", "tensordot", "inner", "outer"}
)


def _multiplied_parameters(function: Value) -> set[str]:
    """The parameters that a function multiplies with something: their own value is a residual.

    Only what stands in the function's own text counts. A residual that is not needed need not be put
    back, so nothing else is certain.
    """
    while isinstance(function, (Transformed, BoundMethod)):
        function = function.function
    if not isinstance(function, Function):
        return set()
    found: set[str] = set()
    for node in ast.walk(function.node):
        operands: list[ast.expr] = []
        if isinstance(node, ast.BinOp) and isinstance(node.op, (ast.Mult, ast.MatMult)):
            operands = [node.left, node.right]
        elif (
            isinstance(node, ast.Call)
            and isinstance(node.func, ast.Attribute)
            and node.func.attr in _PRODUCTS
        ):
            operands = list(node.args)
        for operand in operands:
            while isinstance(operand, (ast.Subscript, ast.Attribute)):
                operand = operand.value
            if isinstance(operand, ast.Name):
                found.add(operand.id)
    return found


def _traced(
    m: Machine, call: Call, trace: Trace, log: TraceLog, leaves: tuple[PrimalLeaf, ...]
) -> FunctionTraced:
    passed = tuple((ref, found, leaf.text) for leaf in leaves for ref, found in leaf.refs)
    captured = tuple((ref, m.ref_object(ref), place) for ref, place in log.captured.values())
    return FunctionTraced(m.site(call.node), trace, passed, captured, (), None)


def rematerialised(
    m: Machine, log: TraceLog, marks: frozenset[int] | None
) -> tuple[Rematerialised, ...]:
    """The uses of differentiated refs in checkpointed functions that matter for the result."""
    if marks is None:
        return ()
    live = m.notes.get("differentiated checkpoints", frozenset())
    return tuple(
        use
        for mark, (checkpoint, use) in log.rematerialised.items()
        if mark in marks and checkpoint in live
    )


def what_matters(m: Machine, result: Value, arg_refs: frozenset[int]) -> frozenset[int] | None:
    """What the result of a differentiated function and the content of its refs depend on."""
    found = taint_of(m, result)
    if found is None:
        return None
    for key in arg_refs:
        found |= m.object(key).taint
    return found


def _with_log(
    m: Machine, leaf: PrimalLeaf, log: TraceLog, marks: frozenset[int] | None
) -> PrimalLeaf:
    """A leaf with what the differentiated function did to its ref, or proved it to be one."""
    value = leaf.value
    if isinstance(value, Opaque):
        found = m.object(value.id)
        if isinstance(found, OpaqueObject) and found.written:
            made = RefObject(
                leaf_path(m), None, found.name, None, None, frozenset(t.id for t in m.traces), how="parameter",
            )  # fmt: skip
            ref = RefValue(m.allocate(made))
            return replace(leaf, refs=((ref, made),), certain=True, written=True)
        return leaf
    ids = {ref.id for ref, _ in leaf.refs}
    if not ids:
        return leaf
    return replace(
        leaf,
        written=bool(ids & log.written),
        overwritten=bool(ids & log.overwritten),
        scanned=bool(ids & log.scanned & log.written)
        or any(
            log.looped.get(key) if marks is None else log.looped.get(key, set()) & marks
            for key in ids
        ),
        indexed=any(
            log.indexed.get(key) if marks is None else log.indexed.get(key, set()) & marks
            for key in ids
        ),
    )


def leaf_path(m: Machine) -> str:
    """The path of the module being evaluated."""
    return m.module.path


@describe("jax.fwd_and_bwd", since=(0, 8))
def fwd_and_bwd(m: Machine, call: Call) -> Value:
    """`jax.fwd_and_bwd(fun, argnums, has_aux=False)`: a pair whose second part is like a VJP."""
    function = call.argument(0, "fun", UNKNOWN) or UNKNOWN
    argnums = argnum_list(m, call.argument(1, "argnums"))
    has_aux = call.kwargs.get("has_aux", FALSE)

    def forward(mm: Machine, inner: Call) -> Value:
        if argnums is None or inner.open:
            return UNKNOWN
        picked = {
            i % len(inner.args): inner.args[i % len(inner.args)] for i in argnums if inner.args
        }
        given = dict(enumerate(inner.args))
        stand_in = Call(
            inner.node,
            inner.args,
            {"has_aux": has_aux},
            False,
            inner.nodes,
            inner.keyword_nodes,
            inner.texts,
        )
        out, pullback, aux = differentiate(mm, stand_in, function, picked, "jax.fwd_and_bwd", given)
        return Tuple((out, pullback or UNKNOWN) if aux is None else (out, pullback or UNKNOWN, aux))

    def backward(mm: Machine, inner: Call) -> Value:
        residuals = inner.argument(0, "residuals")
        if not isinstance(residuals, Vjp):
            return UNKNOWN
        applied = Call(
            inner.node, inner.args[1:], inner.kwargs, inner.open, inner.nodes[1:], inner.keyword_nodes,
            inner.texts[1:],
        )  # fmt: skip
        result = apply(mm, residuals, applied)
        # With an integer argnums the gradient comes alone, as with jax.grad.
        return result

    return Tuple((Native("fwd", forward), Native("bwd", backward)))


def as_applied(found: VjpObject) -> VjpObject:
    """The object after code that is not known may have applied it."""
    return replace(found, applied=max(found.applied, 1), loaded=True)


def note_loaded(m: Machine, value: Vjp) -> None:
    """The VJP was read from a name: somebody may apply it."""
    found = m.object(value.id)
    if not found.loaded:
        m.st.put(value.id, replace(found, loaded=True))
        m.notes.changing("loaded", set).add(value.id)


def note_discarded(m: Machine, value: Vjp, node: ast.Call) -> None:
    """The VJP is the value of an expression statement: nobody can apply it."""
    found = m.object(value.id)
    if found.bound is not None and not found.applied and not found.loaded:
        m.state_fact(BindingUnused(m.site(node), found.info, found.bound))


def attribute(m: Machine, value: Vjp, name: str, node: ast.expr) -> Value:
    """`f_vjp.name`."""
    found = m.object(value.id)
    if name == "with_logs":
        return Vjp(m.allocate(replace(found, logs=True)))
    if name == "__call__":
        return value
    if name == "in_tree":
        return Structure(
            found.info.treedef,
            unflatten(found.info.treedef, [leaf.value for leaf in found.info.leaves], m.allocate),
        )
    if name == "args_res":
        residuals = m.new_list(tuple(UNKNOWN for _ in found.info.arg_texts))
        m.notes[("args_res", residuals.id)] = value.id
        return residuals
    return Method(value, name)


def restore(m: Machine, residuals: int, index: Value) -> None:
    """`f_vjp.args_res[index] = ...` puts a residual back."""
    key = m.notes.get(("args_res", residuals))
    if key is not None and key in m.st.objects:
        found = m.object(key)
        left = tuple(
            i for i in found.info.unsaved if index != Const(i) and isinstance(index, Const)
        )
        m.st.put(key, replace(found, info=replace(found.info, unsaved=left)))


def restore_all(m: Machine, value: Vjp) -> None:
    """`f_vjp.args_res = [...]` puts all residuals back."""
    found = m.object(value.id)
    m.st.put(value.id, replace(found, info=replace(found.info, unsaved=())))


def method(m: Machine, value: Vjp, name: str, call: Call) -> Value:
    """`f_vjp.name(...)`."""
    if name == "with_refs":
        return with_refs(m, value, call)
    if name == "replace":
        found = m.object(value.id)
        info = found.info
        if "args_res" in call.kwargs or "opaque_residuals" in call.kwargs:
            info = replace(info, unsaved=())
        return Vjp(m.allocate(replace(found, info=info)))
    return UNKNOWN


def with_refs(m: Machine, value: Vjp, call: Call) -> Value:
    """`f_vjp.with_refs(*entries)`."""
    found = m.object(value.id)
    info: VjpInfo = found.info
    tree = flatten(Tuple(call.args), m.st)
    if call.open:
        tree = Tree(tree.leaves, TreeDef("unknown"))
    entries = []
    for leaf in tree.leaves:
        step, _, rest = leaf.path[1:].partition("]")
        words = call.texts[int(step)] if step.isdigit() and int(step) < len(call.texts) else ""
        entry_refs, _ = ref_options(m, leaf.value)
        entries.append(
            Entry(f"args{leaf.path}", words + rest if words else "", leaf.value, entry_refs)
        )
    place = m.place(call.node)
    binding = Binding(
        m.site(call.node),
        tuple(entries),
        tree.treedef,
        not call.args and not call.open,
        call.open,
        place,
    )
    m.state_fact(RefsBound(m.site(call.node), info, binding, found.bound, tuple(call.kwargs)))
    if found.bound is not None:
        return UNKNOWN
    if binding.empty and any(leaf.is_ref for leaf in info.leaves):
        return UNKNOWN
    bound = Vjp(m.allocate(VjpObject(info, binding, logs=found.logs)))
    if not m.maybe:
        m.notes.own("bound")[bound.id] = (m.site(call.node), info, binding)
    return bound


def apply(m: Machine, value: Vjp, call: Call) -> Value:
    """`f_vjp(ct)`."""
    found: VjpObject = m.object(value.id)
    info: VjpInfo = found.info
    binding: Binding | None = found.bound
    cotangent = flatten(call.args[0], m.st) if len(call.args) == 1 and not call.open else None
    staged = sum(trace.staged for trace in m.traces)
    before = found.applied
    if binding is not None and staged > sum(trace.staged for trace in binding.site.traces):
        # Inside a jitted function the accumulators are made anew at each call.
        before = 0
    m.state_fact(
        VjpApplied(
            m.site(call.node), info, binding, cotangent, len(call.args), bool(call.kwargs), before,
            _held(m, binding), _stale_entries(m, info, binding),
        )
    )  # fmt: skip
    m.st.put(value.id, replace(found, applied=found.applied + 1, loaded=True))
    m.notes.changing("loaded", set).add(value.id)
    if binding is not None:
        for entry in binding.entries:
            if len(entry.refs) == 1:
                refs.accumulate(m, entry.refs[0][0], call.node)
    grads = _gradients(m, info, binding)
    # Whether they depend on the primals, too, is for the function to say; on the cotangent they do.
    grads = depending(m, grads, taint_of(m, *call.args) or frozenset())
    if found.logs:
        return Tuple((grads, UNKNOWN))
    return grads


def _held(m: Machine, binding: Binding | None) -> tuple[tuple[int, RefObject], ...]:
    """The objects of the bound gradient refs as they are now."""
    if binding is None:
        return ()
    return tuple((ref.id, m.ref_object(ref)) for entry in binding.entries for ref, _ in entry.refs)


def _stale_entries(m: Machine, info: VjpInfo, binding: Binding | None) -> tuple[int, ...]:
    """The entries that still hold a gradient with respect to an older content of their primal."""
    if binding is None or binding.treedef != info.treedef:
        return ()
    stale = []
    for index, (leaf, entry) in enumerate(zip(info.leaves, binding.entries, strict=False)):
        if len(entry.refs) != 1:
            continue
        gradient = m.ref_object(entry.refs[0][0])
        if len(leaf.refs) == 1:
            taint = m.ref_object(leaf.refs[0][0]).taint
        else:
            taint = leaf.value.taint if isinstance(leaf.value, Array) else NO_TRACES
        if gradient.accumulated and -gradient.generation in taint:
            stale.append(index)
    return tuple(stale)


def _gradients(m: Machine, info: VjpInfo, binding: Binding | None) -> Value:
    """What an application returns: a tree like the primals."""
    if not info.treedef.known():
        if binding is None or len(info.treedef.children) == 0:
            return (
                Tuple((UNKNOWN,) * len(info.treedef.children)) if info.treedef.children else UNKNOWN
            )
    entries: list[Entry | None] = [None] * len(info.leaves)
    if binding is not None and binding.treedef == info.treedef:
        entries = list(binding.entries)
    elif binding is not None and not binding.empty:
        return Tuple((UNKNOWN,) * len(info.treedef.children)) if info.treedef.children else UNKNOWN
    values: list[Value] = []
    for leaf, entry in zip(info.leaves, entries, strict=True):
        values.append(_gradient(leaf, entry))
    return unflatten(info.treedef, values, m.allocate)


def _gradient(leaf: PrimalLeaf, entry: Entry | None) -> Value:
    if entry is not None and entry.refs:
        return Sentinel("GradRef", True, entry)
    if entry is not None and isinstance(entry.value, Sentinel) and entry.value.instance:
        if entry.value.kind == "DontWant":
            return Sentinel("DidntWant", True, entry)
    if leaf.is_ref:
        return UNKNOWN
    value = leaf.value
    if isinstance(value, Const) and value != NONE:
        value = as_array(value)
    if isinstance(value, Array):
        dtype = value.dtype
        if dtype is not None and dtype.startswith(("int", "uint", "bool")):
            dtype = "float0"
        return Array(value.shape, dtype, False)
    return UNKNOWN

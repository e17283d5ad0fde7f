"""Refs: making, reading, writing, freezing and freeing them, and their attributes."""

from __future__ import annotations

import ast

from jaxref.domain.heap import ListObject, RefObject
from jaxref.domain.trees import leaf_values
from jaxref.domain.values import (
    NO_TRACES,
    NONE,
    UNKNOWN,
    Array,
    Const,
    ListV,
    Method,
    RefAt,
    RefAtProperty,
    RefValue,
    Sentinel,
    Shape,
    ShapeStruct,
    Tuple,
    Union,
    Value,
)
from jaxref.facts import (
    PlaceholderUsed,
    RefAccessed,
    RefCopied,
    RefLeaked,
    RefMade,
    RefMisused,
    Rematerialised,
    Trace,
)
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.arrays import as_array, canonical_dtype, index_shape
from jaxref.jaxmodel.registry import Call, describe
from jaxref.quick_dataclasses import dataclass, replace
from jaxref.source.liveness import unused

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

LOOPS = frozenset({"scan", "while_loop", "fori_loop", "map", "associative_scan"})

EAGER_ATTRIBUTES = frozenset(
    {"addupdate", "at", "aval", "committed", "format", "sharding", "unsafe_buffer_pointer", "size"}
)
_TRACED_ATTRIBUTES = frozenset(
    {"at", "get", "set", "swap", "addupdate", "T", "reshape", "transpose", "bitcast", "aval", "sharding",
     "update", "vma", "memory_space", "inner_aval", "size", "weak_type", "kind", "format", "committed",
     "block_until_ready"}
)  # fmt: skip
_ACCESSORS = frozenset({"get", "set", "swap", "addupdate"})


# -- making ------------------------------------------------------------------------------------


@describe("jax.new_ref", "jax.mutable_array", "jax.array_ref", "jax.experimental.mutable_array")
def new_ref(m: Machine, call: Call) -> Value:
    """`jax.new_ref(init_val, *, memory_space=None, kind=None)`."""
    initial = call.argument(0, "init_val", UNKNOWN)
    assert initial is not None
    if isinstance(initial, Union):
        return m.each_option(initial, lambda one: make(m, call, one, "new_ref"))
    return make(m, call, initial, "new_ref")


@describe("jax.empty_ref")
def empty_ref(m: Machine, call: Call) -> Value:
    """`jax.empty_ref(ty, memory_space=None)`."""
    return make(m, call, call.argument(0, "ty", UNKNOWN) or UNKNOWN, "empty_ref")


def make(m: Machine, call: Call, initial: Value, how: str) -> Value:
    """A new ref that holds `initial`."""
    shape, dtype = None, None
    taint: frozenset[int] = frozenset()
    batch: frozenset[int] = frozenset()
    content = initial
    if isinstance(initial, (Array, Const, ListV, Tuple)) and initial != NONE:
        array = as_array(array_calls.operand(m, initial))
        shape, taint, batch = array.shape, array.taint, array.batch
        dtype = array.dtype
        if dtype is not None and array.origin == "numpy":
            dtype = canonical_dtype(dtype)
        content = array
    elif isinstance(initial, ShapeStruct):
        shape, dtype = initial.shape, initial.dtype
    kind = call.kwargs.get("kind")
    place = m.place(call.node)
    made = RefObject(
        place.path, place.span, None, shape, dtype, frozenset(trace.id for trace in m.traces),
        kind.value if isinstance(kind, Const) else None, m.maybe, how, taint,
        content=content, generation=m.fresh_id(), nonzero=isinstance(initial, Const) and bool(initial.value),
    )  # fmt: skip
    # A ref made from a value that vmap batches has the batch of that value.
    ref = RefValue(m.allocate(made), shape, dtype, batched=batch)
    m.state_fact(RefMade(m.site(call.node), ref, made, initial, how))
    return ref


def note_kept(m: Machine, value: Value, node: ast.AST) -> None:
    """Remember where a ref that was made under a trace is stored outside of names."""
    if m.traces and isinstance(value, RefValue):
        m.notes.kept(("kept", value.id), lambda: m.place(node))


def note_captured(m: Machine, value: RefValue, holder: int, name: str) -> None:
    """Remember under which name, of a scope or an instance, a jitted function reaches a ref."""
    found = m.ref_object(value)
    for trace in m.traces:
        if trace.kind == "jit" and trace.id not in found.traces and trace.id not in value.via:
            m.notes[("captured", value.id, holder, name)] = trace


# -- access ------------------------------------------------------------------------------------


def _index_items(m: Machine, index: Value) -> tuple[Value, ...]:
    if isinstance(index, ListV):
        # `tuple(...)` is an index like a tuple that is written out; a list is none.
        found = m.object(index.id)
        if isinstance(found, ListObject) and found.kind == "tuple":
            return found.items if found.items is not None else (UNKNOWN,)
    return index.items if isinstance(index, Tuple) else (index,)


def _is_full(items: tuple[Value, ...]) -> bool:
    for item in items:
        if not (isinstance(item, Const) and (item.value is Ellipsis or item.value == slice(None))):
            return False
    return True


def _indexed(m: Machine, shape: Shape | None, index: Value) -> Shape | None:
    items = _index_items(m, index)
    if _is_full(items):
        return shape
    return index_shape(shape, [array_calls.operand(m, item) for item in items])


def _leaked(m: Machine, ref: RefValue, found: RefObject, node: ast.AST) -> bool:
    if not found.traces:
        return False
    active = {trace.id for trace in m.traces}
    if found.traces <= active:
        return False
    if m.retracing:
        # JAX would reuse what it traced before: this code does not run again.
        return True
    if not m.running and any(trace < m.entry for trace in found.traces - active):
        # A function that the traced one made and did not call: it runs under the same trace, if ever.
        return True
    m.state_fact(RefLeaked(m.site(node), ref, found, m.notes.get(("kept", ref.id))))
    return True


def _content_taint(m: Machine, ref: RefValue, found: RefObject) -> frozenset[int]:
    """The differentiation traces that what is read from a ref depends on."""
    marks: list[int] = []
    if found.accumulated:
        marks.append(-found.generation)
    if found.dtype is None or not found.dtype.startswith(("int", "uint", "bool")):
        marks += [
            t.id for t in m.traces if t.kind == "grad" and ref.id in t.arg_refs and t.id in ref.via
        ]
    return found.taint.union(marks) if marks else found.taint


def _batch(m: Machine, ref: RefValue) -> frozenset[int]:
    return ref.batched.intersection([trace.id for trace in m.traces]) if ref.batched else NO_TRACES


def read(m: Machine, ref: RefValue, index: Value, node: ast.AST, *, part: bool = False) -> Value:
    """`ref[index]`; `part`: of a view of the ref."""
    found = m.ref_object(ref)
    closed = m.touch(ref, node)
    if _leaked(m, ref, found, node):
        return UNKNOWN
    _note_copy_use(m, ref, node, False)
    items = _index_items(m, index)
    full = _is_full(items)
    shape = ref.shape if full else _indexed(m, ref.shape, index)
    m.state_fact(
        RefAccessed(m.site(node), ref, found, "read", place_shape=shape, closed=closed, index=items,
                    full=full, unused=_unused_after_end(m, found, node))
    )  # fmt: skip
    _log(m, ref, "read")
    taint = _content_taint(m, ref, found)
    if part or not full or any(isinstance(i, Const) and isinstance(i.value, slice) for i in items):
        # A mark of its own tells later what depends on this part.
        mark = m.notes.kept(("part", ref.id, id(node)), m.fresh_id)
        taint |= {mark}
        for log in m.logs:
            log.indexed.setdefault(ref.id, set()).add(mark)
    looped = [i for i, trace in enumerate(m.traces) if trace.kind in LOOPS]
    if looped:
        mark = m.notes.kept(("looped", ref.id, id(node)), m.fresh_id)
        taint |= {mark}
        for log in m.logs[: looped[-1]]:
            log.looped.setdefault(ref.id, set()).add(mark)
    if (ref.dtype or "").startswith(("float", "bfloat", "complex")):
        taint |= _mark_rematerialised(m, ref, found, node, "read")
    return Array(shape, ref.dtype, False, "jax", taint, _batch(m, ref))


def _mark_rematerialised(
    m: Machine, ref: RefValue, found: RefObject, node: ast.AST, action: str
) -> frozenset[int]:
    """Marks for the taint of a differentiated ref's content that is used in a checkpointed function.

    It matters only where the function's result is differentiated, too.
    """
    if not m.traces:
        return NO_TRACES
    marks: set[int] = set()
    for index, (trace, log) in enumerate(zip(m.traces, m.logs, strict=True)):
        passed = ref.id in trace.arg_refs and trace.id in ref.via
        if trace.kind != "grad" or not (passed or trace.id in found.traces):
            continue
        inner = m.traces[index + 1 :]
        checkpoint = next(
            (t for t in inner if t.kind == "checkpoint" and t.id not in found.traces), None
        )
        if checkpoint is None:
            continue
        mark = m.notes.kept(("rematerialised", ref.id, id(node), action), m.fresh_id)
        use = Rematerialised(ref, found, m.place(node), tuple(t.place for t in inner))
        log.rematerialised[mark] = (checkpoint.place, use)
        marks.add(mark)
    return frozenset(marks)


def _log(m: Machine, ref: RefValue, action: str, full: bool = False) -> None:
    looping = False
    for trace, log in zip(reversed(m.traces), reversed(m.logs), strict=True):
        if looping:
            log.scanned.add(ref.id)
        if action == "read":
            log.read.add(ref.id)
        else:
            if full and ref.id not in log.read and ref.id not in log.written:
                log.overwritten.add(ref.id)
            log.written.add(ref.id)
        if trace.kind in LOOPS:
            looping = True


def write(
    m: Machine, ref: RefValue, index: Value, value: Value, node: ast.AST, action: str = "write"
) -> None:
    """`ref[index] = value`; `action` is write, swap or addupdate."""
    found = m.ref_object(ref)
    closed = m.touch(ref, node)
    if _leaked(m, ref, found, node):
        return
    if isinstance(value, Sentinel) and value.instance and value.origin is not None:
        m.state_fact(PlaceholderUsed(m.site(node), value, "a store into a ref"))
        return
    _note_copy_use(m, ref, node, True)
    items = _index_items(m, index)
    full = _is_full(items)
    array = value if isinstance(value, Array) else None
    if isinstance(value, (Const, Tuple, ListV)):
        array = as_array(array_calls.operand(m, value))
    m.state_fact(
        RefAccessed(
            m.site(node), ref, found, action, value, ref.shape if full else _indexed(m, ref.shape, index),
            _forbidden_taint(m, ref, found, array, action), _forbidding_vmap(m, ref, found), closed, items, full,
            _unused_after_end(m, found, node),
        )
    )  # fmt: skip
    _log(m, ref, action, full and action != "addupdate")
    stored = array.taint if array is not None else frozenset()
    replaced = full and action in ("write", "swap")
    taint = stored if replaced else found.taint | stored
    taint |= _mark_rematerialised(m, ref, found, node, "write")
    m.st.put(
        ref.id,
        replace(
            found,
            written=True,
            taint=taint,
            accumulated=0 if replaced else found.accumulated,
            generation=m.fresh_id() if replaced else found.generation,
            initial=False,
        ),
    )


def _forbidden_taint(
    m: Machine, ref: RefValue, found: RefObject, value: Array | None, action: str
) -> tuple[Trace, ...]:
    """The differentiation traces whose values must not be stored into this ref.

    `addupdate` fails under all that do not differentiate the ref, whatever is added.
    """
    if found.kind == "no_grad_no_remat":
        return ()
    outside = [
        trace
        for trace in m.traces
        if trace.id not in found.traces and not (ref.id in trace.arg_refs and trace.id in ref.via)
    ]
    if action == "addupdate" and not m.memo.get("backward rules"):
        # What a custom rule runs is not differentiated by the traces around it.
        inner = [i for i, trace in enumerate(m.traces) if trace.kind == "custom_vjp"]
        reached = m.traces[inner[-1] :] if inner else m.traces
        return tuple(trace for trace in outside if trace.kind == "grad" and trace in reached)
    tainting = value.taint if value is not None else frozenset()
    return tuple(trace for trace in outside if trace.id in tainting)


def _forbidding_vmap(m: Machine, ref: RefValue, found: RefObject) -> Trace | None:
    """The innermost vmap trace that reaches the ref without mapping over it."""
    for trace in reversed(m.traces):
        if trace.kind == "vmap" and trace.id not in found.traces and trace.id not in ref.batched:
            return trace
    return None


def accumulate(m: Machine, ref: RefValue, node: ast.AST) -> None:
    """A bound VJP adds a gradient to the whole ref."""
    found = m.ref_object(ref)
    closed = m.touch(ref, node)
    m.state_fact(
        RefAccessed(
            m.site(node), ref, found, "accumulate", None, ref.shape, (), _forbidding_vmap(m, ref, found),
            closed, (), True,
        )
    )  # fmt: skip
    _log(m, ref, "addupdate")
    m.st.put(ref.id, replace(found, written=True, accumulated=found.accumulated + 1))


def _on_refs(m: Machine, value: Value | None, change) -> Value:  # type: ignore[no-untyped-def]
    """Apply an operation of `jax.ref` to a ref, an alternative of refs, or a view of a ref."""
    if isinstance(value, Union):
        return m.each_option(value, lambda option: _on_refs(m, option, change))
    if isinstance(value, RefValue):
        result: Value = change(value)
        return result
    return UNKNOWN


@describe("jax.freeze")
def freeze(m: Machine, call: Call) -> Value:
    """`jax.freeze(ref)`: the content; the ref must not be used again."""
    value = call.argument(0, "ref")
    if isinstance(value, Sentinel) and value.instance and value.origin is not None:
        m.state_fact(PlaceholderUsed(m.site(call.node), value, "`jax.freeze`"))
        return UNKNOWN
    return _on_refs(m, value, lambda ref: _end(m, ref, call, "freeze"))


@describe("jax.free_ref")
def free_ref(m: Machine, call: Call) -> Value:
    """`jax.free_ref(ref)`."""
    _on_refs(m, call.argument(0, "ref"), lambda ref: _end(m, ref, call, "free"))
    return NONE


def _unused_after_end(m: Machine, found: RefObject, node: ast.AST) -> bool:
    """Whether what is read from a frozen ref reaches nothing: JAX drops such a read."""
    if found.frozen is False or not m.frames:
        return False
    target = node.value if isinstance(node, ast.Subscript) else None
    return unused(m.frame.node, node, target.id if isinstance(target, ast.Name) else None)


def _end(m: Machine, ref: RefValue, call: Call, action: str) -> Value:
    found = m.ref_object(ref)
    closed = m.touch(ref, call.node)
    if _leaked(m, ref, found, call.node):
        return UNKNOWN
    thrown = _unused_after_end(m, found, call.node)
    m.state_fact(
        RefAccessed(
            m.site(call.node),
            ref,
            found,
            action,
            closed=closed,
            unused=thrown and action == "freeze",
        )
    )
    _log(m, ref, "read")
    dropped = action == "freeze" and bool(m.frames) and unused(m.frame.node, call.node)
    m.st.put(
        ref.id,
        replace(found, frozen=True, frozen_at=m.place(call.node), frozen_unused=dropped),
    )
    return Array(ref.shape, ref.dtype, False, "jax", _content_taint(m, ref, found), _batch(m, ref))


_EVERYTHING = Const(Ellipsis)


def _index_argument(call: Call, index: int) -> Value:
    found = call.argument(index, "idx")
    return _EVERYTHING if found is None or found == NONE else found


@describe("jax.ref.get")
def ref_get(m: Machine, call: Call) -> Value:
    """`jax.ref.get(ref, idx=None)`."""
    return _on_refs(
        m, call.argument(0, "ref"), lambda ref: read(m, ref, _index_argument(call, 1), call.node)
    )


@describe("jax.ref.set")
def ref_set(m: Machine, call: Call) -> Value:
    """`jax.ref.set(ref, idx, value)`."""
    value = call.argument(2, "value", UNKNOWN)

    def change(ref: RefValue) -> Value:
        write(m, ref, _index_argument(call, 1), value or UNKNOWN, call.node)
        return NONE

    return _on_refs(m, call.argument(0, "ref"), change)


@describe("jax.ref.swap")
def ref_swap(m: Machine, call: Call) -> Value:
    """`jax.ref.swap(ref, idx, value)`: the old content."""
    value = call.argument(2, "value", UNKNOWN)

    def change(ref: RefValue) -> Value:
        found = m.ref_object(ref)
        index = _index_argument(call, 1)
        old = Array(
            _indexed(m, ref.shape, index), ref.dtype, False, "jax", _content_taint(m, ref, found)
        )
        write(m, ref, index, value or UNKNOWN, call.node, "swap")
        return old

    return _on_refs(m, call.argument(0, "ref"), change)


@describe("jax.ref.addupdate")
def ref_addupdate(m: Machine, call: Call) -> Value:
    """`jax.ref.addupdate(ref, idx, x)`."""
    value = call.argument(2, "x", UNKNOWN)

    def change(ref: RefValue) -> Value:
        write(m, ref, _index_argument(call, 1), value or UNKNOWN, call.node, "addupdate")
        return NONE

    return _on_refs(m, call.argument(0, "ref"), change)


# -- second names ----------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Copy:
    """A second name given to a ref: what it is called, what it was before, who wrote since."""

    fact: RefCopied
    name: tuple[str, int]
    original: tuple[str, int]
    writers: frozenset[tuple[str, int]] = frozenset()
    stated: bool = False


def _name_key(m: Machine, node: ast.expr) -> tuple[str, int]:
    """A name as something to compare: its words, and its scope when it is a plain name."""
    if isinstance(node, ast.Name):
        return node.id, m.holder_of(node.id)
    return ast.unparse(node), 0


def note_copied(m: Machine, ref: RefValue, target: ast.expr, source: ast.expr | None) -> None:
    """Remember that `target` was made a second name for the ref that `source` names."""
    how = "name"
    if isinstance(source, ast.Call):
        copied = m.recent.get("copied")
        if copied is None or copied[0] is not source or not source.args:
            return
        source, how = source.args[0], "copy.copy"
    if not isinstance(source, (ast.Name, ast.Attribute)) or m.maybe:
        return
    fact = RefCopied(m.site(source), ref, m.ref_object(ref), m.source(target), how)
    key = (target.id, m.frame.scope) if isinstance(target, ast.Name) else _name_key(m, target)
    copies = m.notes.changing(("copies", ref.id), list)
    copies[:] = [copy for copy in copies if copy.name != key]
    copies.append(_Copy(fact, key, _name_key(m, source)))


def _note_copy_use(m: Machine, ref: RefValue, node: ast.AST, writes: bool) -> None:
    """State that a second name is read after the ref was written under its first one only."""
    if not m.notes.get(("copies", ref.id)) or not isinstance(node, ast.Subscript):
        return
    key = _name_key(m, node.value)
    copies = m.notes.changing(("copies", ref.id), list)
    for index, copy in enumerate(copies):
        if writes:
            copies[index] = replace(copy, writers=copy.writers | {key})
        elif key == copy.name:
            copies[index] = _state_copy(m, copy, node)


def note_passed(m: Machine, ref: RefValue, node: ast.expr) -> None:
    """What `copy.copy` gave is handed to a function after the ref was written under its first name.

    An assignment may make a second name on purpose; whoever calls `copy.copy` wants a copy.
    """
    if m.notes.get(("copies", ref.id)) and isinstance(node, (ast.Name, ast.Attribute)):
        key = _name_key(m, node)
        copies = m.notes.changing(("copies", ref.id), list)
        for index, copy in enumerate(copies):
            if key == copy.name and copy.fact.how == "copy.copy":
                copies[index] = _state_copy(m, copy, node)


def _state_copy(m: Machine, copy: _Copy, node: ast.AST) -> _Copy:
    if copy.original not in copy.writers or copy.name in copy.writers or copy.stated:
        return copy
    m.state_fact(replace(copy.fact, read_after_write=m.place(node)))
    return replace(copy, stated=True)


@describe("copy.copy")
def copy_copy(m: Machine, call: Call) -> Value:
    """`copy.copy(ref)` is another name of the ref, no copy."""
    value = call.argument(0, "x")
    if isinstance(value, RefValue):
        m.recent["copied"] = (call.node,)
        return value
    return value if isinstance(value, (Array, Const, Tuple)) else UNKNOWN


@describe("copy.deepcopy")
def copy_deepcopy(m: Machine, call: Call) -> Value:
    """`copy.deepcopy(ref)` is a ref of its own."""
    value = call.argument(0, "x")
    if isinstance(value, RefValue):
        return make(m, call, Array(value.shape, value.dtype, False), "new_ref")
    return value if isinstance(value, (Array, Const)) else UNKNOWN


# -- attributes --------------------------------------------------------------------------------


def attribute(m: Machine, ref: RefValue, name: str, node: ast.expr) -> Value:
    """`ref.name`."""
    if name in ("shape", "dtype", "ndim", "size"):
        return array_calls.attribute(m, Array(ref.shape, ref.dtype, False), name)
    if name == "at":
        return RefAtProperty(ref)
    found = m.ref_object(ref)
    # Somebody may call a function that nobody calls here under a transform.
    traced = bool(ref.via) or bool(found.traces) or found.how != "new_ref" or not m.running
    if name.startswith("_") or name in (_TRACED_ATTRIBUTES if traced else EAGER_ATTRIBUTES):
        return Method(ref, name)
    if name in _ACCESSORS and any(trace.staged for trace in m.traces):
        return Method(ref, name)
    m.touch(ref, node)
    m.state_fact(RefMisused(m.site(node), ref, found, "method", name, 0, None, node))
    return UNKNOWN


def method(m: Machine, ref: RefValue, name: str, call: Call) -> Value:
    """`ref.name(...)`."""
    everything = call.args[0] if call.args else _EVERYTHING
    if name == "get":
        return read(m, ref, everything, call.node)
    if name in ("set", "swap"):
        value = call.args[-1] if call.args else UNKNOWN
        index = call.args[0] if len(call.args) > 1 else _EVERYTHING
        write(m, ref, index, value, call.node, "write" if name == "set" else "swap")
        return NONE if name == "set" else Array(None, ref.dtype, False)
    if name == "addupdate":
        value = call.args[0] if call.args else UNKNOWN
        write(m, ref, _EVERYTHING, value, call.node, "addupdate")
        return NONE
    if name == "__getitem__":
        return read(m, ref, everything, call.node)
    if name == "__setitem__" and len(call.args) == 2:
        write(m, ref, call.args[0], call.args[1], call.node)
        return NONE
    if name == "block_until_ready":
        return ref
    return UNKNOWN


def view(m: Machine, owner: RefAtProperty, index: Value, node: ast.expr) -> Value:
    """`ref.at[index]`."""
    ref = owner.ref
    if not isinstance(ref, RefValue):
        return UNKNOWN
    m.touch(ref, node)
    return RefAt(ref, _indexed(m, ref.shape, index), ref.dtype)


def _view_ref(owner: RefAt) -> RefValue | None:
    ref = owner.ref
    return replace(ref, shape=owner.shape) if isinstance(ref, RefValue) else None


def read_view(m: Machine, owner: RefAt, index: Value, node: ast.expr) -> Value:
    """`ref.at[i][index]`."""
    ref = _view_ref(owner)
    return read(m, ref, index, node, part=True) if ref is not None else UNKNOWN


def write_view(m: Machine, owner: RefAt, index: Value, value: Value, node: ast.AST) -> None:
    """`ref.at[i][index] = value`."""
    ref = _view_ref(owner)
    if ref is not None:
        write(m, ref, index, value, node)


def view_attribute(m: Machine, value: RefAt | RefAtProperty, name: str) -> Value:
    """`ref.at[i].name`."""
    if isinstance(value, RefAt) and name in ("shape", "dtype", "ndim", "size"):
        return array_calls.attribute(m, Array(value.shape, value.dtype, False), name)
    return Method(value, name)


def view_method(m: Machine, owner: RefAt, name: str, call: Call) -> Value:
    """`ref.at[i].name(...)`: only `get`, `set` and further `at` exist."""
    ref = _view_ref(owner)
    if ref is None:
        return UNKNOWN
    if name == "get":
        return read(m, ref, _EVERYTHING, call.node, part=True)
    if name == "set":
        write(m, ref, _EVERYTHING, call.args[0] if call.args else UNKNOWN, call.node)
        return NONE
    if name in ("add", "subtract", "multiply", "mul", "divide", "power", "min", "max", "apply"):
        m.touch(ref, call.node)
        m.state_fact(
            RefMisused(m.site(call.node), ref, m.ref_object(ref), "at", name, 0, None, call.node)
        )
    return UNKNOWN


def contained(
    m: Machine, value: Value, found: list[RefValue] | None = None, depth: int = 0
) -> list[RefValue]:
    """All refs that are leaves of a tree, in order, alternatives included."""
    refs = [] if found is None else found
    for leaf in leaf_values(value, m.st):
        if isinstance(leaf, RefValue):
            refs.append(leaf)
        elif isinstance(leaf, Union) and depth < 3:
            for option in leaf.options:
                contained(m, option, refs, depth + 1)
    return refs

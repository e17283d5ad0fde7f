"""A bound VJP that enters or leaves a jitted function: bind on the other side, or jit the VJP itself."""

from __future__ import annotations

import ast

from jaxref.domain.values import RefValue, Sentinel, Transformed
from jaxref.facts import Binding, FunctionTraced, RefAccessed, RefsBound
from jaxref.fixes.callees import Callee, callee, is_only_run_by, reads_in
from jaxref.fixes.calls import Operand, TracedCall, traced_call
from jaxref.fixes.edits import NotPossible, Patch, outer_span
from jaxref.fixes.given import Given, given_entries
from jaxref.fixes.layout import one_line
from jaxref.fixes.model import Fix
from jaxref.fixes.names import fresh
from jaxref.fixes.operands import stored_value
from jaxref.fixes.primals import is_path, means_the_same
from jaxref.fixes.program import DEFINITIONS, Program
from jaxref.fixes.results import Unpacked, use_of
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

HARMLESS = {"static_argnames", "donate_argnames", "inline"}
"""Options of `jax.jit` that do not count arguments."""


def jit_itself(program: Program, finding: Finding) -> Fix:
    """`jax.jit(bound)(ct)` for a jitted function that does nothing but apply the VJP that it is given."""
    fact, call, _ = _entering(program, finding)
    runs = callee(program, call.nodes[0])
    node = fact.site.node
    assert isinstance(node, ast.Call)
    if node.keywords or len(node.args) < 2 or runs.receiver:
        raise NotPossible
    parameters = [runs.parameter(index).arg for index in range(len(node.args))]
    match runs.node:
        case ast.Lambda(body=ast.Call() as applied):
            pass
        case ast.FunctionDef(body=[*rest, ast.Return(value=ast.Call() as applied)]) if all(
            isinstance(one, ast.Expr) and isinstance(one.value, ast.Constant) for one in rest
        ):
            pass
        case _:
            raise NotPossible
    names = [getattr(one, "id", None) for one in (applied.func, *applied.args)]
    if names != parameters or applied.keywords:
        raise NotPossible
    first, second = node.args[0], node.args[1]
    between = Span(program.span(node.func).start, outer_span(program, second).start)
    patch = Patch(program)
    jit = patch.jax("jax.jit", node)
    patch.replace_span(between, f"{jit}({program.source(first)})(")
    return patch.fix("Jit the bound VJP itself: `jax.jit(...)`", "safe", preferred=True)


def bind_inside(program: Program, finding: Finding) -> Fix:
    """Pass the unbound VJP and the gradient refs, and bind inside of the function."""
    fact, call, binding = _entering(program, finding)
    try:
        jit_itself(program, finding)
    except NotPossible:
        pass
    else:
        raise NotPossible
    runs = callee(program, call.nodes[0])
    if not is_only_run_by(program, call.nodes[0], runs.node):
        raise NotPossible("other calls run the function, too")
    _check_options(program, call.nodes[0])
    given = _given(program, fact, binding)
    operand, removed = _operand(program, call, binding)
    parameter = runs.parameter(operand.key)
    bound = binding.site.node
    assert isinstance(bound, ast.Call) and isinstance(bound.func, ast.Attribute)
    patch = Patch(program)
    outside: list[str] = []
    inside: list[str] = []
    taken: list[str] = []
    for one in given:
        if one is None or one.node is None:
            raise NotPossible
        if _is_sentinel(one):
            inside.append(_sentinel(patch, one, _first(runs)))
            continue
        if not is_path(one.node) or not means_the_same(
            program, one.node, operand.node, program.span(operand.node).start
        ):
            raise NotPossible
        name = _parameter_name(program, runs, one.node, set(taken))
        outside.append(one_line(program, one.node))
        inside.append(name)
        taken.append(name)
    if removed is not None:
        patch.remove_lines(program.span(removed))
    patch.replace(operand.node, ", ".join([one_line(program, bound.func.value), *outside]))
    if taken:
        end = program.span(parameter).end
        patch.insert(end, "".join(f", {name}" for name in taken))
    _bind(patch, runs, parameter, f".with_refs({', '.join(inside)})")
    return patch.fix("Pass the unbound VJP, and bind it inside", "safe", preferred=True)


def _entering(program: Program, finding: Finding) -> tuple[FunctionTraced, TracedCall, Binding]:
    fact = finding.fact
    if not isinstance(fact, FunctionTraced) or fact.trace.kind != "jit" or len(fact.entering) != 1:
        raise NotPossible
    binding = fact.entering[0]
    if not program.has(binding.site.node):
        raise NotPossible
    return fact, traced_call(program, fact.site.node), binding


def _check_options(program: Program, node: ast.expr) -> None:
    values = program.value(node)
    if not values or any(
        not isinstance(value, Transformed) or set(value.options) - HARMLESS for value in values
    ):
        raise NotPossible


def _given(program: Program, fact: FunctionTraced, binding: Binding) -> tuple[Given, ...]:
    """The entries of a binding, refs that the function does not reach in another way, and sentinels."""
    node = binding.site.node
    infos = [
        other.vjp
        for other in program.facts
        if isinstance(other, RefsBound) and other.site.node is node
    ]
    if not infos or infos[0].residual_refs or not isinstance(node, ast.Call):
        raise NotPossible
    given = given_entries(program, RefsBound(binding.site, infos[0], binding, None))
    reached = {ref.id for ref, _, _ in fact.passed}
    for other in program.facts:
        if isinstance(other, RefAccessed) and other.action != "accumulate":
            if any(trace.id == fact.trace.id for trace in other.site.traces):
                reached.add(other.ref.id)
    for one in given:
        kinds = {type(entry.value) for entry in one.entries}
        if not one.entries or kinds - {RefValue, Sentinel} or len(kinds) > 1:
            raise NotPossible
        if kinds == {Sentinel} and len(one.entries) > 1:
            raise NotPossible
        if any(ref.id in reached for entry in one.entries for ref, _ in entry.refs):
            raise NotPossible
    return given


def _is_sentinel(given: Given) -> bool:
    return isinstance(given.entries[0].value, Sentinel)


def _sentinel(patch: Patch, given: Given, at: ast.AST) -> str:
    value = given.entries[0].value
    if not isinstance(value, Sentinel) or not value.instance or given.treedef.kind != "leaf":
        raise NotPossible
    return f"{patch.jax(f'jax.ad.{value.kind}', at)}()"


def _operand(
    program: Program, call: TracedCall, binding: Binding
) -> tuple[Operand, ast.stmt | None]:
    """The argument that is the bound VJP, and the statement that binds it, where that is another one."""
    node = binding.site.node
    for operand in call.operands:
        if operand.node is node and isinstance(operand.key, int):
            return operand, None
    for operand in call.operands:
        name = operand.node
        if not isinstance(name, ast.Name) or not isinstance(operand.key, int):
            continue
        binder = program.scope(name).binder(name.id)
        if binder is None:
            continue
        stores = binder.bound[name.id]
        last = stores[-1]
        if not isinstance(last, ast.Name) or stored_value(program, last) is not node:
            continue
        statement = program.statement(last)
        inside = set(ast.walk(node))
        reads = [one for one in binder.read.get(name.id, ()) if one not in inside]
        bound = getattr(getattr(node, "func", None), "value", None)
        if reads != [name] or not isinstance(statement, ast.Assign) or statement.value is not node:
            raise NotPossible
        host = program.statement(name)
        if host is None or program.parents.get(host) is not program.parents.get(statement):
            raise NotPossible
        own = isinstance(bound, ast.Name) and bound.id == name.id
        if own:
            if len(stores) != 2:
                raise NotPossible
        elif (
            not isinstance(bound, ast.expr)
            or len(stores) != 1
            or not means_the_same(program, bound, name, program.span(name).start)
        ):
            raise NotPossible
        return operand, statement
    raise NotPossible


def _first(runs: Callee) -> ast.AST:
    return runs.node.body if isinstance(runs.node, ast.Lambda) else runs.node.body[0]


def _parameter_name(program: Program, runs: Callee, node: ast.expr, taken: set[str]) -> str:
    scope = program.scopes.of(runs.node)
    if scope is None:
        raise NotPossible
    base = "grad_ref"
    if isinstance(node, ast.Name):
        base = node.id
    elif isinstance(node, ast.Attribute):
        base = node.attr.strip("_")
    if base in scope.bound or base in scope.read or base in scope.declared or base in taken:
        return fresh(base, scope, taken)
    return base


def _bind(patch: Patch, runs: Callee, parameter: ast.arg, text: str) -> None:
    """Bind the VJP that the function gets as a parameter."""
    program = patch.program
    reads = reads_in(program, runs.node, parameter.arg)
    if len(reads) == 1:
        parent = program.parents.get(reads[0])
        if isinstance(parent, ast.Call) and parent.func is reads[0]:
            if program.scope(parent) is program.scopes.of(runs.node):
                patch.insert(program.span(reads[0]).end, text)
                return
    if not isinstance(runs.node, DEFINITIONS):
        raise NotPossible
    body = runs.node.body
    first = body[0]
    if isinstance(first, ast.Expr) and isinstance(first.value, ast.Constant) and len(body) > 1:
        first = body[1]
    patch.before(first, f"{parameter.arg} = {parameter.arg}{text}")


def bind_outside(program: Program, finding: Finding) -> Fix:
    """Return the unbound VJP, and bind it where it is received."""
    fact = finding.fact
    if not isinstance(fact, FunctionTraced) or not fact.leaving_bound or fact.trace.kind != "jit":
        raise NotPossible
    if len(fact.leaving) != 1 or fact.leaving[0].residual_refs or fact.entering:
        raise NotPossible
    call = traced_call(program, fact.site.node)
    node = fact.site.node
    assert isinstance(node, ast.Call)
    runs = callee(program, call.nodes[0])
    if not is_only_run_by(program, call.nodes[0], runs.node):
        raise NotPossible("other calls run the function, too")
    returned = _returned(runs)
    parts = returned.elts if isinstance(returned, (ast.Tuple, ast.List)) else [returned]
    bound = [
        (index, found)
        for index, part in enumerate(parts)
        if (found := _binding_call(program, part, runs)) is not None
    ]
    if len(bound) != 1:
        raise NotPossible
    index, binding = bound[0]
    assert isinstance(binding.func, ast.Attribute)
    patch = Patch(program)
    texts = [_outside(patch, one, call, runs, node) for one in binding.args]
    if binding.keywords:
        raise NotPossible
    gone = Span(outer_span(program, binding.func.value).end, program.span(binding).end)
    patch.replace_span(gone, "")
    text = f".with_refs({', '.join(texts)})"
    use = use_of(program, node)
    if returned is parts[0]:
        patch.insert(program.span(node).end, text)
    elif isinstance(use, Unpacked) and len(use.targets) == len(parts):
        target = use.targets[index]
        if not isinstance(target, ast.Name):
            raise NotPossible
        patch.after(use.statement, f"{target.id} = {target.id}{text}")
    else:
        raise NotPossible
    return patch.fix("Return the unbound VJP, and bind it outside", "safe", preferred=True)


def _returned(runs: Callee) -> ast.expr:
    if isinstance(runs.node, ast.Lambda):
        return runs.node.body
    returns = [
        one.value for one in ast.walk(runs.node) if isinstance(one, ast.Return) and one.value
    ]
    last = runs.node.body[-1]
    if len(returns) != 1 or not isinstance(last, ast.Return):
        raise NotPossible
    return returns[0]


def _binding_call(program: Program, node: ast.expr, runs: Callee) -> ast.Call | None:
    """The `with_refs` call that a returned expression is, or that gave it its name."""
    if isinstance(node, ast.Name):
        scope = program.scopes.of(runs.node)
        stores = scope.bound.get(node.id, []) if scope is not None else []
        if len(stores) != 1 or reads_in(program, runs.node, node.id) != [node]:
            return None
        value = stored_value(program, stores[0]) if isinstance(stores[0], ast.Name) else None
        return _binding_call(program, value, runs) if isinstance(value, ast.Call) else None
    if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
        return node if node.func.attr == "with_refs" else None
    return None


def _outside(patch: Patch, entry: ast.expr, call: TracedCall, runs: Callee, at: ast.Call) -> str:
    """How to write an entry where the function is called."""
    program = patch.program
    values = program.value(entry)
    if values and all(isinstance(value, Sentinel) for value in values):
        if len(values) != 1 or not isinstance(values[0], Sentinel) or not values[0].instance:
            raise NotPossible
        return f"{patch.jax(f'jax.ad.{values[0].kind}', at)}()"
    if not is_path(entry):
        raise NotPossible
    root = next(part for part in ast.walk(entry) if isinstance(part, ast.Name))
    own = program.scopes.of(runs.node)
    binder = program.scope(entry).binder(root.id)
    if binder is None or own is None:
        raise NotPossible
    if binder is not own:
        if program.scope(at).binder(root.id) is not binder or len(binder.bound[root.id]) != 1:
            raise NotPossible
        return one_line(program, entry)
    if len(own.bound[root.id]) != 1:
        raise NotPossible
    for operand in call.operands:
        if runs.parameter(operand.key) is own.bound[root.id][0]:
            if not is_path(operand.node):
                raise NotPossible
            text = one_line(program, entry)
            return one_line(program, operand.node) + text[len(root.id) :]
    raise NotPossible


REMEDIES = {"bound-vjp-crosses-jit": (jit_itself, bind_inside, bind_outside)}

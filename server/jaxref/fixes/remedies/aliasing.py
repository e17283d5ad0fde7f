"""One ref that a traced or differentiated function gets in two ways: as two arguments, or closed over."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator

from jaxref.domain.values import RefValue
from jaxref.facts import FunctionTraced, RefAccessed, RefsBound
from jaxref.fixes.callees import (
    Callee,
    is_index_read,
    is_only_read,
    is_only_run_by,
    reads_alike,
    reads_in,
)
from jaxref.fixes.calls import Operand, TracedCall, traced_call
from jaxref.fixes.edits import NotPossible, Patch
from jaxref.fixes.model import Fix
from jaxref.fixes.one_primal import differentiate_once
from jaxref.fixes.operands import POSTFIX, stored_value
from jaxref.fixes.primals import is_path
from jaxref.fixes.program import Program
from jaxref.fixes.remedies.repeating import make_each
from jaxref.fixes.scopes import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

COPY = "(writes to one are then not seen through the other)"
OUT_OF_ORDER = (
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.Lambda,
    ast.FunctionDef,
    ast.AsyncFunctionDef,
)
"""What does not run once in its place."""


def use_parameter(program: Program, finding: Finding) -> Fix:
    """The parameter, inside of the function, for the outer name of the ref that it is given."""
    fact, call = _call(program, finding)
    if call.mapped:
        # The parameter is one item of the ref.
        raise NotPossible
    passed = {ref.id for ref, _, _ in fact.passed}
    captured = [ref for ref, _, _ in fact.captured if ref.id in passed]
    if not captured:
        raise NotPossible
    ref = captured[0]
    callees = call.callees(program)
    operand = _operand_of(program, fact, call, callees, ref)
    patch = Patch(program)
    found: list[ast.expr] = []
    for function in callees:
        parameter = function.parameter(operand.key)
        scope = program.scopes.of(function.node)
        for node in _ways_in(program, function, operand, ref):
            if scope is None or scope.bound.get(parameter.arg) != [parameter]:
                raise NotPossible
            if program.scope(node).binder(parameter.arg) is not scope:
                raise NotPossible
            patch.replace(node, parameter.arg)
            found.append(node)
    _check_reached(program, fact, ref, found)
    name = _traced(fact, callees).parameter(operand.key).arg
    title = f"Use the parameter `{name}` for `{program.words(found[0])}` inside"
    same = {ast.dump(operand.node)} == {ast.dump(node) for node in found}
    if same and all(
        is_only_run_by(program, node, function.node)
        for node, function in zip(call.nodes, callees, strict=True)
    ):
        return patch.fix(title, "safe", preferred=True)
    return patch.fix(f"{title} (also where another ref is passed)", "unsafe")


def _call(program: Program, finding: Finding) -> tuple[FunctionTraced, TracedCall]:
    fact = finding.fact
    if not isinstance(fact, FunctionTraced):
        raise NotPossible
    return fact, traced_call(program, fact.site.node)


def _traced(fact: FunctionTraced, callees: tuple[Callee, ...]) -> Callee:
    """The one of the functions that was traced: `cond` has two."""
    found = [one for one in callees if getattr(one.node, "name", "<lambda>") == fact.trace.function]
    if len(found) != 1:
        raise NotPossible
    return found[0]


def _operand_of(
    program: Program,
    fact: FunctionTraced,
    call: TracedCall,
    callees: tuple[Callee, ...],
    ref: RefValue,
) -> Operand:
    """The argument that is the ref, or a container that holds it and that the function also names."""
    direct = list(_operands_with(program, fact, call, ref))
    if direct:
        return direct[0]
    held = [
        operand
        for operand in call.operands
        if is_path(operand.node)
        and not _is_ref(program, operand.node)
        and any(any(_ways_in(program, one, operand, ref)) for one in callees)
    ]
    if len(held) != 1:
        raise NotPossible
    return held[0]


def _operands_with(
    program: Program, fact: FunctionTraced, call: TracedCall, ref: RefValue
) -> Iterator[Operand]:
    """The arguments that are the ref itself."""
    refs = [one for one in call.operands if _is_ref(program, one.node)]
    if len(refs) == len(fact.passed):
        # Those of a call that is evaluated several times were seen the first time only.
        for operand, (one, _, _) in zip(refs, fact.passed, strict=True):
            if one.id == ref.id:
                yield operand
        return
    yield from (one for one in refs if _is(program, one.node, ref))


def _is_ref(program: Program, node: ast.expr) -> bool:
    values = program.value(node)
    return bool(values) and all(isinstance(value, RefValue) for value in values)


def _is(program: Program, node: ast.expr, ref: RefValue) -> bool:
    values = program.value(node)
    return bool(values) and all(
        isinstance(value, RefValue) and value.id == ref.id for value in values
    )


def _ways_in(
    program: Program, function: Callee, operand: Operand, ref: RefValue
) -> Iterator[ast.expr]:
    """Where the function, by a path from outside, names what it is given as `operand`."""
    wanted = ast.dump(operand.node)
    own = program.scopes.of(function.node)
    direct = _is_ref(program, operand.node)
    home = _binder(program, operand.node)
    for node in ast.walk(function.node):
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) or not is_path(node):
            continue
        if not isinstance(node.ctx, ast.Load):
            continue
        binder = _binder(program, node)
        same = ast.dump(node) == wanted and (binder is home or isinstance(node, ast.Attribute))
        if not same and not (direct and _is(program, node, ref)):
            continue
        if binder is None or (
            binder is not own and function.node in _nodes_around(program, binder)
        ):
            # A name of an inner function, for what it was given.
            continue
        if isinstance(node, ast.Name) and binder is own:
            # The parameter itself, or another name for it.
            continue
        yield node


def _nodes_around(program: Program, scope: Scope) -> Iterator[ast.AST]:
    yield scope.node
    yield from program.ancestors(scope.node)


def _binder(program: Program, path: ast.expr) -> Scope | None:
    """The scope of the name that a path begins with."""
    root = next(part for part in ast.walk(path) if isinstance(part, ast.Name))
    return program.scope(path).binder(root.id)


def _check_reached(
    program: Program, fact: FunctionTraced, ref: RefValue, found: list[ast.expr]
) -> None:
    """Raise `NotPossible` when the function reaches the ref in a further way, such as by a helper."""
    if not found:
        raise NotPossible
    traces = {
        other.trace.id
        for other in program.facts
        if isinstance(other, FunctionTraced) and other.site.node is fact.site.node
    }
    inside = {id(part) for node in found for part in _around(program, node)}
    for other in program.facts:
        if isinstance(other, RefAccessed) and other.ref.id == ref.id:
            if any(trace.id in traces for trace in other.closed):
                if id(other.site.node) not in inside and not _is_handed_on(program, other, found):
                    raise NotPossible("the function reaches the ref by another one, too")


def _is_handed_on(program: Program, access: RefAccessed, found: list[ast.expr]) -> bool:
    """True for an access in a function that was called with one of these expressions."""
    calls = {place.span for place in access.site.callers}
    calls |= {trace.place.span for trace in access.site.traces}
    parents = [program.parents.get(node) for node in found]
    handed = any(isinstance(one, ast.Call) and program.span(one) in calls for one in parents)
    owner = getattr(access.site.node, "value", None)
    if not handed or not isinstance(owner, ast.Name) or not program.has(owner):
        return False
    binder = program.scope(owner).binder(owner.id)
    return binder is not None and isinstance(binder.bound[owner.id][0], ast.arg)


def _around(program: Program, node: ast.expr) -> Iterator[ast.AST]:
    """A node and what is around it in its statement."""
    yield node
    for outer in program.ancestors(node):
        yield outer
        if isinstance(outer, ast.stmt):
            return


def pass_value(program: Program, finding: Finding) -> Fix:
    """`f(r, r[...])` for `f(r, r)` where the function only reads the second."""
    fact, call = _call(program, finding)
    if fact.trace.kind == "custom_vjp":
        raise NotPossible
    if any(_is_possible(other, program, finding) for other in (use_parameter, make_each)):
        raise NotPossible
    operands = _aliased(program, fact, call)
    _check_bound_apart(program, fact)
    chosen, sure = _only_read(program, fact, call.callees(program), operands)
    patch = Patch(program)
    for one in chosen:
        if not isinstance(one.node, POSTFIX):
            raise NotPossible
        patch.insert(program.span(one.node).end, "[...]")
    title = f"Pass the value: `{program.words(chosen[0].node)}[...]`"
    if sure:
        return patch.fix(title, "safe", preferred=True)
    if fact.trace.kind == "grad":
        raise NotPossible
    return patch.fix(f"{title} (writes to the ref are then not seen through it)", "unsafe")


def _check_bound_apart(program: Program, fact: FunctionTraced) -> None:
    """Raise `NotPossible` where one gradient ref gets the sum already."""
    for other in program.facts:
        if isinstance(other, RefsBound) and other.vjp.call is fact.site.node:
            ids = [ref.id for entry in other.binding.entries for ref, _ in entry.refs]
            if len(set(ids)) < len(ids):
                raise NotPossible


def _is_possible(
    remedy: Callable[[Program, Finding], Fix], program: Program, finding: Finding
) -> bool:
    try:
        remedy(program, finding)
    except NotPossible:
        return False
    return True


def _aliased(program: Program, fact: FunctionTraced, call: TracedCall) -> list[Operand]:
    """The arguments that are one ref."""
    ids = [ref.id for ref, _, _ in fact.passed]
    twice = [ref for ref, _, _ in fact.passed if ids.count(ref.id) > 1]
    if twice:
        found = list(_operands_with(program, fact, call, twice[0]))
        if len(found) != ids.count(twice[0].id):
            raise NotPossible
        return found
    captured = [ref for ref, _, _ in fact.captured if ref.id in ids]
    if not captured or fact.trace.kind == "grad":
        raise NotPossible
    return list(_operands_with(program, fact, call, captured[0]))


def _only_read(
    program: Program, fact: FunctionTraced, callees: tuple[Callee, ...], operands: list[Operand]
) -> tuple[list[Operand], bool]:
    """All but one of the arguments that are one ref, or the only one of a ref that is closed over.

    Every function only reads them; the flag tells whether nothing writes to the ref before that.
    """
    read = [
        operand
        for operand in operands
        if all(is_only_read(program, one.node, one.parameter(operand.key)) for one in callees)
    ]
    if len(read) == len(operands) > 1:
        read = read[1:]
    if not read or len(read) < len(operands) - 1:
        raise NotPossible
    others = [operand for operand in operands if operand not in read]
    sure = all(_reads_first(program, one, operand, others) for one in callees for operand in read)
    return read, sure and not _is_written_by_name(program, fact)


def _is_written_by_name(program: Program, fact: FunctionTraced) -> bool:
    """True when the function writes a ref that it also gets as an argument by closing over it."""
    passed = {ref.id for ref, _, _ in fact.passed}
    return any(
        isinstance(other, RefAccessed)
        and other.action != "read"
        and other.ref.id in passed
        and any(trace.id == fact.trace.id for trace in other.closed)
        for other in program.facts
    )


def _reads_first(
    program: Program, function: Callee, operand: Operand, others: list[Operand]
) -> bool:
    """True when no read of one parameter comes after a write of another."""
    name = function.parameter(operand.key).arg
    reads = [program.span(node).start for node in reads_in(program, function.node, name)]
    for other in others:
        parameter = function.parameter(other.key)
        if is_only_read(program, function.node, parameter):
            continue
        if any(isinstance(node, OUT_OF_ORDER) for node in _inside(function)):
            return False
        for node in reads_in(program, function.node, parameter.arg):
            statement = program.statement(node)
            if is_index_read(program, node) or statement is None:
                continue
            if any(start > program.span(statement).end for start in reads):
                return False
    return True


def _inside(function: Callee) -> Iterator[ast.AST]:
    return (node for node in ast.walk(function.node) if node is not function.node)


def pass_value_inside(program: Program, finding: Finding) -> Fix:
    """`{"a": r, "b": r[...]}` for `{"a": r, "b": r}` that a function is given which only reads."""
    fact, call = _call(program, finding)
    ids = [ref.id for ref, _, _ in fact.passed]
    twice = [ref for ref, _, _ in fact.passed if ids.count(ref.id) == 2]
    if not twice or fact.trace.kind in ("custom_vjp", "grad"):
        raise NotPossible
    found = [
        part
        for operand in call.operands
        for part in _items(_display(program, operand.node))
        if _is(program, part, twice[0])
    ]
    if len(found) != 2 or not isinstance(found[1], POSTFIX):
        raise NotPossible
    if not all(
        other.action == "read" and reads_alike(other.site.node)
        for other in program.facts
        if isinstance(other, RefAccessed)
        and other.ref.id == twice[0].id
        and any(trace.id == fact.trace.id for trace in other.site.traces)
    ):
        raise NotPossible
    patch = Patch(program)
    patch.insert(program.span(found[1]).end, "[...]")
    title = f"Pass the value: `{program.words(found[1])}[...]`"
    return patch.fix(title, "safe", preferred=True)


def _display(program: Program, node: ast.expr) -> ast.expr:
    """The display that an argument is, or that its name stands for when it is all that uses the name."""
    if isinstance(node, ast.Name):
        binder = program.scope(node).binder(node.id)
        stores = binder.bound[node.id] if binder is not None else []
        if binder is not None and len(stores) == 1 and len(binder.read.get(node.id, ())) == 1:
            value = stored_value(program, stores[0])
            if isinstance(stores[0], ast.Name) and value is not None:
                return value
    return node


def _items(node: ast.expr) -> Iterator[ast.expr]:
    match node:
        case ast.Dict():
            parts = node.values
        case ast.Tuple() | ast.List():
            parts = node.elts
        case _:
            return
    for part in parts:
        yield part
        yield from _items(part)


def pass_copy(program: Program, finding: Finding) -> Fix:
    """`f(r, jax.new_ref(r[...]))` for `f(r, r)`."""
    fact, call = _call(program, finding)
    if _is_possible(make_each, program, finding):
        raise NotPossible
    operands = _aliased(program, fact, call)
    if len(operands) < 2 or fact.trace.kind == "checkpoint":
        # No ref of its own may be differentiated through a checkpoint.
        raise NotPossible
    if _is_possible(pass_value, program, finding):
        raise NotPossible
    _check_bound_apart(program, fact)
    patch = Patch(program)
    for operand in operands[1:]:
        if not isinstance(operand.node, POSTFIX):
            raise NotPossible
        new_ref = patch.jax("jax.new_ref", operand.node)
        patch.replace(operand.node, f"{new_ref}({program.source(operand.node)}[...])")
    return patch.fix(f"Pass a ref of its own {COPY}", "unsafe")


REMEDIES = {
    "ref-aliased": (use_parameter, pass_value, pass_value_inside, pass_copy),
    "aliased-vjp-primals": (use_parameter, pass_value, differentiate_once, pass_copy),
}

"""A VJP that is applied before the residuals it did not save are put back."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxref.domain.values import Const, Vjp
from jaxref.facts import RefsBound, VjpApplied, VjpInfo
from jaxref.fixes.edits import NotPossible, Patch, can_precede, outer_span
from jaxref.fixes.model import Fix
from jaxref.fixes.primals import (
    Primal,
    is_path,
    is_sequence,
    means_the_same,
    one_by_one,
    primals_of,
)
from jaxref.fixes.program import Program
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

MUTATING = ("append", "clear", "extend", "insert", "pop", "popitem", "setdefault", "update")


def put_back(program: Program, finding: Finding) -> Fix:
    """`f_vjp.args_res[0] = w` on a line before the application, `f_vjp.replace(args_res=...)` in a lambda."""
    fact = finding.fact
    assert isinstance(fact, (VjpApplied, RefsBound))
    info = fact.vjp
    call = fact.site.node
    if not isinstance(call, ast.Call) or not program.has(call):
        raise NotPossible
    if any(
        isinstance(other, (VjpApplied, RefsBound))
        and other.site.node is call
        and (other.vjp.call is not info.call or other.vjp.unsaved != info.unsaved)
        for other in program.facts
    ):
        raise NotPossible
    callee = _callee(program, call)
    primals = one_by_one(primals_of(program, info))
    positions = _left_out(program, info, primals)
    for position in positions:
        _check_unchanged(program, primals[position], callee, info.call)
    texts = [_text(program, primals[position]) for position in positions]
    patch = Patch(program)
    name = program.words(callee)
    words = " and ".join(f"`{text}`" for text in texts)
    title = f"Put {words if len(words) < 40 else 'the values'} back first"
    try:
        host = can_precede(program, call)
    except NotPossible:
        items = [
            texts[positions.index(i)] if i in positions else f"{name}.args_res[{i}]"
            for i in range(len(primals))
        ]
        patch.insert(program.span(callee).end, f".replace(args_res=[{', '.join(items)}])")
    else:
        if program.scope(host) is not program.scope(callee) or _binds_anew(host, callee):
            raise NotPossible from None
        for position, text in zip(positions, texts, strict=True):
            patch.before(host, f"{name}.args_res[{position}] = {text}")
    return patch.fix(title, "safe", preferred=True)


def _left_out(program: Program, info: VjpInfo, primals: Sequence[Primal]) -> list[int]:
    """The positions of all arrays that `saveable_args` leaves out: JAX may need more than those it
    surely needs, and what it does not need may be put back as well."""
    assert info.call is not None
    keyword = _option(info.call)
    given = keyword.value if keyword is not None else None
    parts: Sequence[ast.expr] = given.elts if isinstance(given, (ast.Tuple, ast.List)) else ()
    saved = [isinstance(part, ast.Constant) and part.value is True for part in parts]
    return [
        position
        for position, primal in enumerate(primals)
        if position in info.unsaved
        or (
            not (position < len(saved) and saved[position])
            and not all(leaf.is_ref or isinstance(leaf.value, Const) for leaf in primal.leaves)
        )
    ]


def _option(call: ast.Call) -> ast.keyword | None:
    return next((one for one in call.keywords if one.arg == "saveable_args"), None)


def _callee(program: Program, call: ast.Call) -> ast.expr:
    """The VJP that a call applies or binds."""
    node = call.func
    if isinstance(node, ast.Attribute) and node.attr == "with_refs":
        node = node.value
    elif isinstance(node, ast.Call) and node.args:
        # `jax.jit(f_vjp)(ct)`
        node = node.args[0]
    values = program.value(node)
    if not is_path(node) or not values or not all(isinstance(value, Vjp) for value in values):
        raise NotPossible
    return node


def _text(program: Program, primal: Primal) -> str:
    text = program.words(primal.node)
    if primal.item is None:
        return text
    if not is_sequence(program, primal.node):
        raise NotPossible
    return f"{text}[{primal.item}]"


def _check_unchanged(
    program: Program, primal: Primal, callee: ast.expr, made: ast.Call | None
) -> None:
    """Raise `NotPossible` unless the primal's expression gives what the VJP was made with, at `callee`."""
    node = primal.node
    place = program.span(callee).start
    if not means_the_same(program, node, callee, place):
        raise NotPossible("what was not saved has no name here")
    here, there = program.scope(node), program.scope(callee)
    same = here is there
    start = program.span(node).end
    if same and place < start:
        raise NotPossible
    if not same and isinstance(node, ast.Attribute):
        # `self.w` belongs to the VJP of the same `self`.
        if not isinstance(callee, ast.Attribute) or _root(callee) != _root(node):
            raise NotPossible
    for other in program.parents:
        if _changes(other, node):
            at = program.span(other).start
            if not same or start <= at < place:
                raise NotPossible("what was not saved may have changed by then")
    # A VJP that waited in a container may be one of an earlier pass of the loop.
    loops = [one for one in program.ancestors(node) if isinstance(one, (ast.For, ast.While))]
    statement = program.statement(made) if made is not None else None
    for loop in loops:
        varies = any(
            isinstance(part, ast.Name)
            and isinstance(part.ctx, ast.Store)
            and part.id == _root(node)
            for part in ast.walk(loop)
        )
        if varies and not _bound_only_by(program, callee, statement):
            raise NotPossible


def _root(node: ast.expr) -> str:
    while isinstance(node, (ast.Attribute, ast.Subscript)):
        node = node.value
    return node.id if isinstance(node, ast.Name) else ""


def _changes(other: ast.AST, node: ast.expr) -> bool:
    """True for what stores into what `node` is, or calls a method that changes it."""
    wanted = ast.dump(node)
    inner: ast.AST
    if isinstance(other, (ast.Attribute, ast.Subscript)) and not isinstance(other.ctx, ast.Load):
        inner = other.value
    elif (
        isinstance(other, ast.Call)
        and isinstance(other.func, ast.Attribute)
        and other.func.attr in MUTATING
    ):
        inner = other.func.value
    else:
        return False
    while True:
        if ast.dump(inner) == wanted:
            return True
        if not isinstance(inner, (ast.Attribute, ast.Subscript)):
            return False
        inner = inner.value


def _bound_only_by(program: Program, callee: ast.expr, statement: ast.stmt | None) -> bool:
    if not isinstance(callee, ast.Name):
        return False
    binder = program.scope(callee).binder(callee.id)
    return binder is not None and all(
        program.statement(store) is statement for store in binder.bound[callee.id]
    )


def _binds_anew(host: ast.stmt, callee: ast.expr) -> bool:
    """True when the statement itself gives the VJP its name."""
    return any(
        isinstance(part, ast.NamedExpr) and part.target.id == _root(callee)
        for part in ast.walk(host)
    )


def save_all(program: Program, finding: Finding) -> Fix:
    """`jax.vjp` without `saveable_args`."""
    fact = finding.fact
    assert isinstance(fact, (VjpApplied, RefsBound))
    call = fact.vjp.call
    if call is None or not program.has(call) or fact.vjp.maker != "jax.vjp":
        raise NotPossible
    keyword = _option(call)
    if keyword is None:
        raise NotPossible
    end = program.span(keyword).end
    before = [
        outer_span(program, node).end
        for node in [*call.args, *(one.value for one in call.keywords if one is not keyword)]
        if program.span(node).end <= program.span(keyword).start
    ]
    span = Span(max(before), end)
    patch = Patch(program)
    patch.replace_span(span, "")
    return patch.fix("Save the residuals: no `saveable_args` (they then stay in memory)", "unsafe")


REMEDIES = {"unrestored-residuals": (put_back, save_all)}

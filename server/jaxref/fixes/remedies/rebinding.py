"""A name that gets a new ref although a jitted function holds on to the old one: overwrite the content."""

from __future__ import annotations

import ast
from collections.abc import Iterator

from jaxref.facts import CapturedRefReplaced, RefMade
from jaxref.fixes.edits import NotPossible, Patch, outer_span
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import stored_value
from jaxref.fixes.program import DEFINITIONS, Program
from jaxref.fixes.scopes import Scope
from jaxref.source.lines import shape_of
from jaxref.source.text import Span

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

LOOPS = (ast.For, ast.AsyncFor, ast.While)


def overwrite(program: Program, finding: Finding) -> Fix:
    """`total[...] = 0.0` for `total = jax.new_ref(0.0)`.

    The name must surely hold a ref by then, of the shape and dtype that the new one would have.
    """
    fact = finding.fact
    target = fact.site.node
    if not isinstance(fact, CapturedRefReplaced) or not program.has(target):
        raise NotPossible
    if not isinstance(target, (ast.Name, ast.Attribute)):
        raise NotPossible
    call = stored_value(program, target)
    if not isinstance(call, ast.Call) or len(call.args) != 1 or call.keywords:
        raise NotPossible
    stores = list(_stores(program, target))
    _check_types(program, fact, stores)
    if not _surely_bound(program, target, stores):
        raise NotPossible("the name may hold no ref yet when this runs")
    patch = Patch(program)
    statement = program.parents.get(target)
    if isinstance(statement, ast.AnnAssign):
        end = program.span(statement.annotation).end
        patch.replace_span(Span(program.span(target).end, end), "[...]")
    else:
        patch.insert(program.span(target).end, "[...]")
    _unwrap(patch, call)
    title = f"Overwrite the content: `{program.words(target)}[...] = ...`"
    if _only_its_content(program, target):
        return patch.fix(title, "safe", preferred=True)
    return patch.fix(f"{title} (whoever else has the ref sees it, too)", "unsafe")


def _stores(program: Program, target: ast.Name | ast.Attribute) -> Iterator[ast.AST]:
    """All places that may bind what `target` is: its name in its scope, or an attribute of its name."""
    if isinstance(target, ast.Name):
        scope = _holder(program, target)
        yield from (node for node in scope.bound.get(target.id, ()) if not _declares(node))
        for node in program.parents:
            if isinstance(node, ast.Name) and node.id == target.id and node is not target:
                inner = program.function_scope(node)
                if target.id in inner.declared and not isinstance(node.ctx, ast.Load):
                    yield node
        if target.id in program.function_scope(target).declared:
            yield target
        return
    for node in program.parents:
        if isinstance(node, ast.Attribute) and node.attr == target.attr:
            if not isinstance(node.ctx, ast.Load):
                yield node


def _declares(node: ast.AST) -> bool:
    return isinstance(node, (ast.Global, ast.Nonlocal))


def _holder(program: Program, name: ast.Name) -> Scope:
    """The scope that a name which is stored belongs to, `global` and `nonlocal` considered."""
    scope = program.function_scope(name)
    if name.id not in scope.declared:
        return scope
    for statement in ast.walk(scope.node):
        if isinstance(statement, ast.Global) and name.id in statement.names:
            return program.scopes.module
    outer = scope.parent
    found = outer.binder(name.id) if outer is not None else None
    if found is None:
        raise NotPossible
    return found


def _check_types(program: Program, fact: CapturedRefReplaced, stores: list[ast.AST]) -> None:
    """Every ref that the name ever holds must be made in this file, of one known shape and dtype."""
    old = fact.object
    if old.shape is None or None in old.shape or old.dtype is None or old.frozen is not False:
        raise NotPossible
    if old.dtype.startswith(("complex", "key")) or old.kind is not None:
        # JAX does not store a weakly typed complex number into what was made from one.
        raise NotPossible
    for store in stores:
        if not isinstance(store, (ast.Name, ast.Attribute)):
            raise NotPossible
        value = stored_value(program, store)
        made = [one for one in program.facts if isinstance(one, RefMade) and one.site.node is value]
        if not made or any(
            one.ref.shape != old.shape or one.ref.dtype != old.dtype or one.how != "new_ref"
            for one in made
        ):
            raise NotPossible


def _surely_bound(
    program: Program, target: ast.Name | ast.Attribute, stores: list[ast.AST]
) -> bool:
    """True when the name has a ref whenever `target` is stored to."""
    around = [one for one in program.ancestors(target) if isinstance(one, (*LOOPS, *DEFINITIONS))]
    if not around:
        # It runs once, and then there was one: the finding says so.
        return True
    first = [store for store in stores if store is not target and _unconditional(program, store)]
    if isinstance(target, ast.Name):
        here = program.function_scope(target)
        return any(
            program.function_scope(store) is not here
            or program.span(store).end <= program.span(target).start
            for store in first
        )
    if not isinstance(target.value, ast.Name):
        return False
    method = program.function_scope(target).node
    owner = program.parents.get(method)
    if not isinstance(owner, ast.ClassDef) or not isinstance(method, DEFINITIONS):
        return False
    return method.name != "__init__" and any(
        isinstance(store, ast.Attribute)
        and _is_first_parameter(store.value, maker := program.function_scope(store).node)
        and _is_first_parameter(target.value, method)
        and getattr(maker, "name", "") == "__init__"
        and program.parents.get(maker) is owner
        and not _called_from(program, target, maker)
        for store in first
    )


def _unconditional(program: Program, store: ast.AST) -> bool:
    """True for a statement that stands directly in the body of a function or of the module."""
    statement = program.statement(store)
    if statement is None:
        return False
    parent = program.parents.get(statement)
    return isinstance(parent, (*DEFINITIONS, ast.Module))


def _is_first_parameter(node: ast.expr, function: ast.AST) -> bool:
    if not isinstance(node, ast.Name) or not isinstance(function, DEFINITIONS):
        return False
    parameters = [*function.args.posonlyargs, *function.args.args]
    return bool(parameters) and parameters[0].arg == node.id


def _called_from(program: Program, target: ast.Attribute, maker: ast.AST) -> bool:
    """True when `__init__` was seen to run `target`, perhaps before it made the ref."""
    value = stored_value(program, target)
    span = program.span(maker)
    return any(
        place.path == program.path and span.start <= place.span.start < span.end
        for one in program.facts
        if isinstance(one, RefMade) and one.site.node is value
        for place in one.site.callers
    )


def _only_its_content(program: Program, target: ast.Name | ast.Attribute) -> bool:
    """True when the ref is nowhere handed on: everybody who reads the name works on the content."""
    for node in program.parents:
        if isinstance(target, ast.Name):
            same = isinstance(node, ast.Name) and node.id == target.id
        else:
            same = isinstance(node, ast.Attribute) and node.attr == target.attr
        if not same or not isinstance(getattr(node, "ctx", None), ast.Load):
            continue
        parent = program.parents.get(node)
        if isinstance(parent, (ast.Subscript, ast.Attribute)) and parent.value is node:
            continue
        if isinstance(parent, ast.FormattedValue):
            continue
        if not isinstance(parent, ast.Call) or not _prints(program, parent):
            return False
    return True


def _prints(program: Program, call: ast.Call) -> bool:
    function = call.func
    return (
        isinstance(function, ast.Name)
        and function.id in ("print", "str", "repr", "float", "int", "bool")
        and program.scope(call).binder(function.id) is None
    )


def _unwrap(patch: Patch, call: ast.Call) -> None:
    """Put the argument of a call in its place."""
    program = patch.program
    argument = call.args[0]
    if isinstance(argument, (ast.Starred, ast.NamedExpr, ast.Yield, ast.YieldFrom, ast.Await)):
        raise NotPossible
    span = program.span(call)
    text = program.source(argument)
    if not {"\n", "\r"} & set(program.source(call)):
        patch.replace(call, text)
        return
    # The brackets of the call hold the lines together; a comma would make it a tuple.
    start = program.span(call.func).end
    patch.replace_span(Span(span.start, start), "")
    comma = _comma(program, outer_span(program, argument).end, span.end)
    if comma is not None:
        patch.replace_span(Span(comma, comma + 1), "")


def _comma(program: Program, start: int, end: int) -> int | None:
    """Where a comma stands between the last argument of a call and its end."""
    comments = shape_of(program.text).comments
    for at in range(start, end):
        if program.text.content[at] == ",":
            if not any(one.start <= at < one.end for one in comments):
                return at
    return None


REMEDIES = {"jit-closed-over-ref-rebound": (overwrite,)}

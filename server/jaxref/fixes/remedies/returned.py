"""A ref in the result of a traced function: return its value."""

from __future__ import annotations

import ast
from collections.abc import Mapping

from jaxref.domain.values import Array, RefValue, Value
from jaxref.facts import FunctionTraced, RefMade
from jaxref.fixes.callees import Callee, callee, is_only_run_by
from jaxref.fixes.edits import NotPossible, Patch, outer_span
from jaxref.fixes.given import tree_of
from jaxref.fixes.model import Fix
from jaxref.fixes.names import last_part
from jaxref.fixes.operands import POSTFIX, has_value, is_ref_like, read
from jaxref.fixes.program import Program
from jaxref.fixes.results import Discarded, Named, Unpacked, is_read, reads_of, use_of
from jaxref.fixes.scopes import Scope

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


_LOOPS = frozenset({"scan", "while_loop", "fori_loop"})
"""Transforms whose function is given what it returned."""


def return_value(program: Program, finding: Finding) -> Fix:
    """`return ref[...]` for a ref that nobody uses as a ref afterwards."""
    fact = _returning(finding)
    value = _returned_value(program, fact)
    made_inside = all(fact.trace.id in found.traces for _, found in fact.returned)
    if not made_inside:
        if fact.trace.kind in _LOOPS and {ref.id for ref, _, _ in fact.passed} & {
            ref.id for ref, _ in fact.returned
        }:
            raise NotPossible("the loop carries the ref")
        # Who called the function has the ref already, and may go on using what comes back as one.
        for one in _same_return(program, fact):
            _check_only_read(program, one)
    patch = Patch(program)
    _read_refs(patch, value)
    return patch.fix("Return the value instead of the ref", "unsafe")


def make_outside(program: Program, finding: Finding) -> Fix:
    """Return arrays, and make refs of them where the function is called."""
    fact = _returning(finding)
    value = _returned_value(program, fact)
    calls = _calls(program, fact)
    made = [
        other
        for other in program.facts
        if isinstance(other, RefMade)
        and value in (other.site.node, *program.ancestors(other.site.node))
    ]
    ids = {other.ref.id for other in made}
    leaves = fact.result.leaves if fact.result is not None else ()
    if not leaves or not all(
        isinstance(leaf.value, RefValue) and leaf.value.id in ids for leaf in leaves
    ):
        raise NotPossible
    patch = Patch(program)
    nodes = {other.site.node: other.initial for other in made}
    for node, initial_value in nodes.items():
        if not isinstance(node, ast.Call) or node.keywords or not _is_array(initial_value):
            raise NotPossible
        match node.args:
            case [initial] if not isinstance(initial, ast.Starred):
                patch.replace(node, program.source(initial))
            case [_, tree] if last_part(node.func) in ("map", "tree_map"):
                patch.replace(node, program.source(tree))
            case _:
                raise NotPossible
    single = value in nodes and isinstance(value, ast.Call) and len(value.args) == 1
    for call in calls:
        new_ref = patch.jax("jax.new_ref", call)
        if single:
            opening = f"{new_ref}("
        else:
            opening = f"{patch.jax('jax.tree.map', call)}({new_ref}, "
        start, end = program.span(call)
        patch.insert(start, opening)
        patch.insert(end, ")")
    return patch.fix("Return the value, and make the ref where the function is called", "safe")


def drop_item(program: Program, finding: Finding) -> Fix:
    """`return loss` for `return params, loss`, and `loss = step(params)` for `params, loss = step(params)`."""
    fact = _returning(finding)
    if fact.trace.kind not in ("jit", "checkpoint"):
        raise NotPossible
    value = _returned_value(program, fact)
    statement = program.parents.get(value)
    if not isinstance(statement, ast.Return):
        raise NotPossible
    items = value.elts if isinstance(value, ast.Tuple) else [value]
    if any(isinstance(item, ast.Starred) for item in items):
        raise NotPossible
    gone = {
        index: item.id
        for index, item in enumerate(items)
        if isinstance(item, ast.Name)
        and _is_given_back(program, item, f"[{index}]" if item is not value else "", fact)
    }
    if not gone or ((item_count := len(items) - len(gone)) == 0 and isinstance(value, ast.Tuple)):
        raise NotPossible
    function = program.function_scope(value).node
    for node in program.parents:
        if isinstance(node, ast.Return) and node is not statement:
            if program.function_scope(node).node is function:
                raise NotPossible
    patch = Patch(program)
    if item_count:
        left = [program.source(item) for index, item in enumerate(items) if index not in gone]
        patch.replace_span(outer_span(program, value), ", ".join(left))
    else:
        try:
            patch.remove(statement)
        except NotPossible:
            patch.replace(statement, "return")
    for call in _calls(program, fact):
        _take_less(patch, call, gone, len(items))
    names = " and ".join(f"`{name}`" for name in gone.values())
    return patch.fix(f"Do not return {names}, which the caller has", "safe")


def _take_less(patch: Patch, call: ast.Call, gone: Mapping[int, str], count: int) -> None:
    """Make a call's assignment one of the items that are left of `count`."""
    program = patch.program
    use = use_of(program, call)
    match use:
        case Discarded():
            return
        case Named() if count == len(gone):
            targets: tuple[ast.expr, ...] = (use.target,)
        case Unpacked() if count > len(gone):
            targets = use.targets
        case _:
            raise NotPossible
    if len(targets) != count:
        raise NotPossible
    given = callee(program, call.func)
    for index, name in gone.items():
        _check_same(program, call, given, name, targets[index])
    kept = [program.source(target) for index, target in enumerate(targets) if index not in gone]
    if isinstance(use, Unpacked):
        patch.replace_span(outer_span(program, use.display), ", ".join(kept))
    else:
        patch.replace(use.statement, program.source(call))


def _check_same(
    program: Program, call: ast.Call, given: Callee, name: str, target: ast.expr
) -> None:
    """Raise `NotPossible` unless the call binds to `target` what it was given for the parameter `name`."""
    words = program.source(target)
    for index, argument in enumerate(call.args):
        if isinstance(argument, ast.Starred):
            break
        if given.parameter(index).arg == name:
            if program.source(argument) == words or not is_read(program, target):
                return
            raise NotPossible
    for keyword in call.keywords:
        if keyword.arg == name and program.source(keyword.value) == words:
            return
    raise NotPossible


def _returning(finding: Finding) -> FunctionTraced:
    fact = finding.fact
    if not isinstance(fact, FunctionTraced) or fact.returns is None or not fact.returned:
        raise NotPossible
    if fact.trace.kind == "custom_vjp":
        # The residuals of a custom rule go to its other half, which may write them.
        raise NotPossible("a custom rule returns it to its other half")
    return fact


def _returned_value(program: Program, fact: FunctionTraced) -> ast.expr:
    """The expression that is returned."""
    assert fact.returns is not None
    statement = program.at(fact.returns, ast.Return)
    value = statement.value if statement is not None else program.at(fact.returns, ast.expr)
    if value is None:
        raise NotPossible
    return value


def _same_return(program: Program, fact: FunctionTraced) -> list[FunctionTraced]:
    return [
        other
        for other in program.facts
        if isinstance(other, FunctionTraced) and other.returned and other.returns == fact.returns
    ]


def _calls(program: Program, fact: FunctionTraced) -> list[ast.Call]:
    """All calls of the function that returns, each once. Raises `NotPossible` where there may be others."""
    found: list[ast.Call] = []
    for other in _same_return(program, fact):
        node = other.site.node
        if not isinstance(node, ast.Call) or not program.has(node):
            raise NotPossible
        if node not in found:
            found.append(node)
    assert fact.returns is not None
    function = callee(program, found[0].func).node
    if isinstance(function, ast.Lambda):
        if not is_only_run_by(program, found[0].func, function):
            raise NotPossible
        return found
    binder = program.scope(function).binder(function.name)
    if binder is None or len(found) != len(_uses(program, function, binder)):
        raise NotPossible
    return found


def _uses(
    program: Program, function: ast.FunctionDef | ast.AsyncFunctionDef, binder: Scope
) -> list[ast.AST]:
    """The places that name a function, or what `jax.jit(function)` is bound to."""
    if isinstance(binder.node, ast.ClassDef):
        return [
            node
            for node in program.parents
            if isinstance(node, ast.Attribute) and node.attr == function.name
        ]
    uses: list[ast.AST] = []
    for place in binder.read.get(function.name, ()):
        store = _bound_again(program, place)
        uses += reads_of(program, store) if store is not None else [place]
    return uses


def _bound_again(program: Program, read: ast.Name) -> ast.Name | None:
    """`step` in `step = jax.jit(function)`."""
    outer = program.parents.get(read)
    statement = program.parents.get(outer) if isinstance(outer, ast.Call) else None
    if isinstance(statement, ast.Assign) and len(statement.targets) == 1:
        target = statement.targets[0]
        if isinstance(target, ast.Name) and isinstance(outer, ast.Call) and outer.func is not read:
            return target
    return None


def _check_only_read(program: Program, fact: FunctionTraced) -> None:
    """Raise `NotPossible` where what the call gives may be used as a ref."""
    node = fact.site.node
    if not isinstance(node, ast.Call) or not program.has(node):
        raise NotPossible
    use = use_of(program, node)
    match use:
        case Discarded():
            return
        case Named():
            targets: tuple[ast.expr, ...] = (use.target,)
        case Unpacked():
            targets = use.targets
        case _:
            raise NotPossible
    for target in targets:
        if not isinstance(target, ast.Name):
            raise NotPossible
        binder = program.scope(target).binder(target.id)
        if binder is None or len(binder.bound[target.id]) != 1:
            raise NotPossible
        for place in reads_of(program, target):
            match program.parents.get(place):
                case ast.Subscript(value=value, ctx=ast.Load()) if value is place:
                    continue
                case ast.BinOp() | ast.Compare() | ast.FormattedValue():
                    continue
                case ast.Call(func=ast.Name(id="print")):
                    continue
            raise NotPossible


def _is_given_back(program: Program, item: ast.Name, prefix: str, fact: FunctionTraced) -> bool:
    """True when an item of the result, at the path `prefix`, is a parameter and holds nothing but refs passed."""
    if fact.result is None or (prefix and fact.result.treedef.kind != "tuple"):
        return False
    stores = program.scope(item).bound.get(item.id, ())
    if len(stores) != 1 or not isinstance(stores[0], ast.arg):
        return False
    passed = {ref.id for ref, _, _ in fact.passed}
    leaves = [
        leaf
        for leaf in fact.result.leaves
        if leaf.path == prefix or leaf.path.startswith((prefix + "[", prefix + "."))
    ]
    return bool(leaves) and all(
        isinstance(leaf.value, RefValue) and leaf.value.id in passed for leaf in leaves
    )


def _is_array(value: Value) -> bool:
    return isinstance(value, Array) and value.origin == "jax"


def _read_refs(patch: Patch, node: ast.expr) -> None:
    program = patch.program
    match node:
        case ast.Tuple() | ast.List():
            for item in node.elts:
                _read_refs(patch, item)
            return
        case ast.Dict():
            for item in node.values:
                _read_refs(patch, item)
            return
    if has_value(program, node, is_ref_like):
        read(patch, node)
        return
    tree = tree_of(program, node)
    if tree is None or not any(isinstance(leaf.value, RefValue) for leaf in tree.leaves):
        return
    if not all(isinstance(leaf.value, RefValue) for leaf in tree.leaves) or not isinstance(
        node, POSTFIX
    ):
        raise NotPossible
    tree_map = patch.jax("jax.tree.map", node)
    patch.replace(node, f"{tree_map}(lambda ref: ref[...], {program.source(node)})")


REMEDIES = {"ref-returned": (drop_item, make_outside, return_value)}

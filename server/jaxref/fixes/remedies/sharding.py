"""A ref that is given to a shard-mapped function which is not jitted: jit it."""

from __future__ import annotations

import ast

from jaxref.domain.values import RefValue, Transformed
from jaxref.facts import Place, RefMisused
from jaxref.fixes.edits import NotPossible, Patch, begins_line
from jaxref.fixes.given import tree_of
from jaxref.fixes.model import Fix
from jaxref.fixes.operands import POSTFIX, stored_value
from jaxref.fixes.program import Program

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding


def jit_mapped(program: Program, finding: Finding) -> Fix:
    """`jax.jit(jax.shard_map(...))` where the mapped function is made, `jax.jit(f)(...)` else."""
    fact = finding.fact
    call = fact.site.node
    if not isinstance(fact, RefMisused) or not isinstance(call, ast.Call) or not program.has(call):
        raise NotPossible
    _check_distinct(program, call)
    patch = Patch(program)
    made = _maker(program, call)
    if made is not None and not _is_only_one(program, call, made):
        made = None
    decorated = program.parents.get(made) if made is not None else None
    if made is None:
        if not isinstance(call.func, POSTFIX) or not _is_mapped(program, call.func):
            raise NotPossible
        _wrap(patch, call.func)
        return patch.fix("Jit the mapped function for this call: `jax.jit`", "safe", preferred=True)
    if isinstance(decorated, (ast.FunctionDef, ast.AsyncFunctionDef)):
        _decorate(patch, decorated, made)
    else:
        _wrap(patch, made)
    return patch.fix("Jit the mapped function: `jax.jit`", "safe", preferred=True)


def _check_distinct(program: Program, call: ast.Call) -> None:
    """Under `jax.jit` no ref may be passed twice."""
    seen: set[int] = set()
    for node in [*call.args, *(keyword.value for keyword in call.keywords)]:
        tree = tree_of(program, node)
        for leaf in tree.leaves if tree is not None else ():
            if isinstance(leaf.value, RefValue):
                if leaf.value.id in seen:
                    raise NotPossible("a jitted function may be given a ref once only")
                seen.add(leaf.value.id)


def _is_mapped(program: Program, node: ast.expr) -> bool:
    values = program.value(node)
    return bool(values) and all(
        isinstance(value, Transformed) and value.kind == "shard_map" for value in values
    )


def _maker(program: Program, call: ast.Call) -> ast.expr | None:
    """The expression in this file that makes the function which is called; the decorator, where it is one."""
    values = program.value(call.func)
    if len(values) != 1 or not isinstance(values[0], Transformed) or values[0].kind != "shard_map":
        return None
    place = values[0].site
    node: ast.AST | None = program.at(place, ast.expr) if isinstance(place, Place) else None
    if node is None:
        return None
    while not _is_decorator(program, node):
        if isinstance(node, ast.expr) and _is_mapped(program, node):
            return node
        parent = program.parents.get(node)
        if not isinstance(parent, ast.Call) or parent.func is not node:
            return None
        node = parent
    assert isinstance(node, ast.expr)
    return node


def _is_only_one(program: Program, call: ast.Call, made: ast.expr) -> bool:
    """True when what `made` makes is surely all that is ever called by `call`."""
    function = call.func
    stores: list[ast.AST] = []
    if isinstance(function, ast.Name):
        binder = program.scope(function).binder(function.id)
        stores = binder.bound[function.id] if binder is not None else []
    elif isinstance(function, ast.Attribute):
        stores = [
            node
            for node in program.parents
            if (
                isinstance(node, ast.Attribute)
                and node.attr == function.attr
                and isinstance(node.ctx, ast.Store)
            )
            or (
                isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
                and node.name == function.attr
                and isinstance(program.parents.get(node), ast.ClassDef)
            )
        ]
    if len(stores) == 1:
        store = stores[0]
        if isinstance(store, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return made in store.decorator_list
        if isinstance(store, (ast.Name, ast.Attribute)) and stored_value(program, store) is made:
            return True
    return sum(isinstance(f, RefMisused) and f.site.node is call for f in program.facts) == 1


def _is_decorator(program: Program, node: ast.AST) -> bool:
    parent = program.parents.get(node)
    return node in getattr(parent, "decorator_list", ())


def _decorate(
    patch: Patch, function: ast.FunctionDef | ast.AsyncFunctionDef, decorator: ast.expr
) -> None:
    """`@jax.jit` on a line of its own above a decorator."""
    program = patch.program
    text = program.text
    at = text.content.rfind("@", 0, program.span(decorator).start)
    line = text.line_span(text.line_index(at))
    if not begins_line(program, function) or text.content[line.start : at].strip():
        raise NotPossible
    indent = text.content[line.start : at]
    jit = patch.jax("jax.jit", function)
    end = text.content[line.end : text.line_starts[text.line_index(at) + 1]]
    patch.insert(line.start, f"{indent}@{jit}{end}")


def _wrap(patch: Patch, node: ast.expr) -> None:
    span = patch.program.span(node)
    patch.insert(span.start, f"{patch.jax('jax.jit', node)}(")
    patch.insert(span.end, ")")


REMEDIES = {"ref-to-eager-shard-map": (jit_mapped,)}

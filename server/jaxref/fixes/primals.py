"""The arguments of a `jax.vjp` call as its fixes need them: expressions, leaves and structure."""

from __future__ import annotations

import ast
from collections.abc import Sequence

from jaxref.domain.heap import ListObject
from jaxref.domain.trees import TreeDef
from jaxref.domain.values import Array, Const, Tuple
from jaxref.facts import PrimalLeaf, VjpInfo
from jaxref.fixes.edits import NotPossible
from jaxref.fixes.program import Program
from jaxref.fixes.scopes import Scope
from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Primal:
    """One argument that is differentiated, or all those that a starred argument stands for.

    `first` is the position of the (first) primal, `count` how many there are. With `item` it is one of
    a starred argument's: `node[item]`.
    """

    node: ast.expr
    first: int
    count: int
    starred: bool
    leaves: tuple[PrimalLeaf, ...]
    treedefs: tuple[TreeDef, ...]
    item: int | None = None
    name: str = ""
    """What the differentiated function calls it; "" where that is not known."""

    @property
    def has_refs(self) -> bool:
        """True when a leaf is a ref."""
        return any(leaf.is_ref for leaf in self.leaves)

    @property
    def only_refs(self) -> bool:
        """True when every leaf is a ref and the structure is known."""
        return (
            bool(self.leaves)
            and all(leaf.is_ref for leaf in self.leaves)
            and all(treedef.known() for treedef in self.treedefs)
        )


def primals_of(program: Program, info: VjpInfo) -> tuple[Primal, ...]:
    """The primals in their order. Raises `NotPossible` when the call is not understood.

    That is the case where it stands in another file, is no plain call of `jax.vjp`, or has an unknown
    number of arguments.
    """
    call = info.call
    if call is None or not program.has(call) or info.maker != "jax.vjp":
        raise NotPossible
    if info.treedef.kind != "tuple" or len(info.treedef.children) != len(info.arg_texts):
        raise NotPossible
    arguments = call.args[1:]
    if any(keyword.arg not in ("has_aux", "saveable_args") for keyword in call.keywords):
        raise NotPossible
    total = len(info.arg_texts)
    stars = sum(isinstance(argument, ast.Starred) for argument in arguments)
    if (
        stars > 1
        or (not stars and len(arguments) != total)
        or (call.args and isinstance(call.args[0], ast.Starred))
    ):
        raise NotPossible
    if stars and total < len(arguments) - 1:
        raise NotPossible
    primals = []
    position = 0
    for argument in arguments:
        starred = isinstance(argument, ast.Starred)
        count = total - (len(arguments) - 1) if starred else 1
        positions = range(position, position + count)
        primals.append(
            Primal(
                argument.value if isinstance(argument, ast.Starred) else argument,
                position,
                count,
                starred,
                tuple(leaf for leaf in info.leaves if leaf.position in positions),
                info.treedef.children[position : position + count],
                name=info.parameters[position] if position < len(info.parameters) else "",
            )
        )
        position += count
    return tuple(primals)


def one_by_one(primals: Sequence[Primal], parameters: Sequence[str] = ()) -> tuple[Primal, ...]:
    """The primals with starred ones taken apart."""
    found: list[Primal] = []
    for primal in primals:
        if not primal.starred:
            found.append(primal)
            continue
        for index in range(primal.count):
            position = primal.first + index
            leaves = tuple(leaf for leaf in primal.leaves if leaf.position == position)
            found.append(
                Primal(
                    primal.node,
                    position,
                    1,
                    False,
                    leaves,
                    (primal.treedefs[index],),
                    index,
                    parameters[position] if position < len(parameters) else "",
                )
            )
    return tuple(found)


def is_sequence(program: Program, node: ast.expr) -> bool:
    """True when the value of `node` surely is a tuple or a list."""
    span = program.span(node)
    found = program.seen.get((type(node).__name__, span.start, span.end))
    if found is None:
        return False
    value, held = found
    if isinstance(held, ListObject):
        return held.kind == "list"
    return isinstance(value, Tuple)


def is_path(node: ast.expr) -> bool:
    """True for a name with attributes and constant items: evaluating it again gives the same."""
    match node:
        case ast.Name():
            return True
        case ast.Attribute():
            return is_path(node.value)
        case ast.Subscript(slice=ast.Constant() | ast.UnaryOp(operand=ast.Constant())):
            return is_path(node.value)
        case ast.Subscript(slice=ast.Name()):
            return is_path(node.value)
        case ast.Call(func=ast.Attribute(value=owner, attr="values"), args=[], keywords=[]):
            return is_path(owner)
    return False


def means_the_same(program: Program, node: ast.expr, at: ast.AST, offset: int) -> bool:
    """True when the path `node` surely gives the same object in its place and at `offset`.

    `offset` lies in the scope and the loops of the node `at`. Names must be visible from there under
    the same binding, and not be bound anew in between.
    """
    if not is_path(node):
        return False
    here, there = program.scope(node), program.scope(at)
    start, end = program.span(node).end, offset
    for part in ast.walk(node):
        if not isinstance(part, ast.Name):
            continue
        binder = here.binder(part.id)
        if binder is None:
            return False
        if there.binder(part.id) is not binder:
            return _is_self(program, node, part, here, there)
        stores = binder.bound[part.id]
        if len(stores) == 1:
            if not _same_loop_item(program, stores[0], node, at):
                return False
            continue
        if here is not there or end < start:
            return False
        places = [
            program.span(store).start
            for store in stores
            if program.has(store) and hasattr(store, "lineno")
        ]
        if any(start <= place < end for place in places):
            return False
        # A name bound in a loop that both places are in is bound before both.
        if _loops_around(program, node) != _loops_around(program, at):
            if any(place > start for place in places):
                return False
    if not isinstance(node, ast.Name):
        return not _stored_between(program, node, offset, here is there)
    return True


def _stored_between(program: Program, node: ast.expr, offset: int, same_scope: bool) -> bool:
    """True when something is assigned to the place `node` means, between it and `offset`."""
    wanted = ast.dump(node)
    start, end = program.span(node).end, offset
    for other in ast.walk(program.tree):
        if isinstance(other, (ast.Attribute, ast.Subscript)) and isinstance(
            other.ctx, (ast.Store, ast.Del)
        ):
            if ast.dump(other).replace("Store()", "Load()").replace("Del()", "Load()") == wanted:
                place = program.span(other).start
                if not same_scope or start <= place < end:
                    return True
    return False


def _is_self(program: Program, node: ast.expr, name: ast.Name, here: Scope, there: Scope) -> bool:
    """`self.kernel` in another method of the class, when only `__init__` assigns it."""
    if not isinstance(node, ast.Attribute) or node.value is not name:
        return False
    for scope in (here, there):
        function = scope.node
        if not isinstance(function, (ast.FunctionDef, ast.AsyncFunctionDef)):
            return False
        parameters = [*function.args.posonlyargs, *function.args.args]
        if not parameters or parameters[0].arg != name.id:
            return False
    if (
        here.parent is None
        or here.parent is not there.parent
        or not isinstance(here.parent.node, ast.ClassDef)
    ):
        return False
    stores = [
        other
        for other in ast.walk(here.parent.node)
        if isinstance(other, ast.Attribute)
        and other.attr == node.attr
        and isinstance(other.ctx, ast.Store)
    ]
    makers = {getattr(program.function_scope(store).node, "name", "") for store in stores}
    return len(stores) == 1 and makers <= {"__init__", "setup", "__post_init__"}


def _same_loop_item(program: Program, store: ast.AST, node: ast.AST, at: ast.AST) -> bool:
    """False when `store` is a loop's and `at` lies outside of that loop."""
    loop = next(
        (
            outer
            for outer in program.ancestors(store)
            if isinstance(outer, (ast.For, ast.AsyncFor, ast.While, ast.comprehension))
        ),
        None,
    )
    if loop is None or not isinstance(loop, (ast.For, ast.AsyncFor, ast.While)):
        return True
    return loop in program.ancestors(at) or loop not in program.ancestors(node)


def _loops_around(program: Program, node: ast.AST) -> list[ast.AST]:
    return [
        outer
        for outer in program.ancestors(node)
        if isinstance(outer, (ast.For, ast.AsyncFor, ast.While))
    ]


def is_whole_number(leaf: PrimalLeaf) -> bool:
    """True for an array primal that surely has no gradient of its own type."""
    value = leaf.value
    if isinstance(value, Const):
        return isinstance(value.value, (bool, int))
    return isinstance(value, Array) and (value.dtype or "").startswith(("int", "uint", "bool"))


def is_key(leaf: PrimalLeaf) -> bool:
    """True for a PRNG key, or a ref of one."""
    dtypes = [ref.dtype for ref, _ in leaf.refs]
    if isinstance(leaf.value, Array):
        dtypes.append(leaf.value.dtype)
    return any((dtype or "").startswith("key") for dtype in dtypes)


def can_skip(leaf: PrimalLeaf) -> bool:
    """False for a ref whose gradient JAX cannot leave out."""
    if not leaf.is_ref:
        return True
    if leaf.written and not all(found.kind == "no_grad_no_remat" for _, found in leaf.refs):
        return False
    return not leaf.scanned and not leaf.indexed

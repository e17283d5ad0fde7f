"""`jax.tree`: mapping, flattening, and the registration of classes as tree nodes."""

from __future__ import annotations

import ast
import math

from jaxref.domain.heap import Attributes
from jaxref.domain.trees import children_of, flatten, leaf_values, map_leaves, mismatch, unflatten
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Array,
    ClassV,
    Const,
    Function,
    Instance,
    Method,
    Native,
    RefValue,
    Sentinel,
    Structure,
    Tuple,
    Union,
    Value,
    join_all,
)
from jaxref.facts import PlaceholderUsed
from jaxref.jaxmodel import array_calls
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.registry import Call, describe
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine


def _note_placeholders(m: Machine, value: Value, call: Call, how: str) -> None:
    """Placeholders are trees without leaves: a map over returned gradients drops them."""
    node = call.node
    stack = [value]
    seen = 0
    while stack and seen < 200:
        seen += 1
        item = stack.pop()
        if isinstance(item, Sentinel) and item.instance and item.origin is not None:
            m.state_fact(PlaceholderUsed(m.site(node), item, how, silent=True))
            return
        found = children_of(item, m.st)
        if found is not None:
            stack += [child for _, child in found[2]]


@describe("jax.tree.map")
def tree_map(m: Machine, call: Call) -> Value:
    """`jax.tree.map(f, tree, *rest, is_leaf=None)`."""
    function = call.argument(0, "f", UNKNOWN) or UNKNOWN
    trees = list(call.args[1:])
    if not trees and "tree" in call.kwargs:
        trees = [call.kwargs["tree"]]
    if not trees:
        return UNKNOWN
    is_leaf = call.kwargs.get("is_leaf")
    if is_leaf is not None and is_leaf != NONE:
        m.call(function, Call(call.node, (UNKNOWN,) * len(trees), {}))
        return UNKNOWN
    for tree in trees:
        _note_placeholders(m, tree, call, "`jax.tree.map`")
    flat = [flatten(tree, m.st) for tree in trees]
    first = flat[0]

    def apply(*leaves: Value) -> Value:
        return m.call(function, Call(call.node, leaves, {}, call.open, (None,) * len(leaves)))

    if first.treedef.known():
        columns: list[list[Value]] = []
        for one in flat[1:]:
            if mismatch(first.treedef, one.treedef) is None and len(one.leaves) == len(
                first.leaves
            ):
                columns.append([leaf.value for leaf in one.leaves])
            else:
                # A prefix tree or an error of JAX's about structures: what each leaf meets is unknown.
                columns.append([UNKNOWN] * len(first.leaves))
        made = [
            apply(leaf.value, *[column[index] for column in columns])
            for index, leaf in enumerate(first.leaves)
        ]
        result = _rebuilt(m, trees[0], made)
        return result
    if isinstance(trees[0], Union):
        return m.each_option(
            trees[0],
            lambda option: tree_map(
                m, Call(call.node, (function, option, *trees[1:]), {}, call.open)
            ),
        )

    def change(leaf: Value) -> Value:
        result = apply(leaf, *[_any_leaf(m, tree) for tree in trees[1:]])
        if children_of(leaf, m.st) is None or result == NONE:
            return result
        # The leaf is a tree itself, of which nothing is known.
        return replace(result, tree=True) if isinstance(result, RefValue) else UNKNOWN

    # Structure unknown in part: each leaf that is there, with the others unknown.
    return map_leaves(trees[0], m.st, change, m.allocate)


def _any_leaf(m: Machine, tree: Value) -> Value:
    """What any leaf of a tree may be."""
    leaves = leaf_values(tree, m.st)
    return join_all(leaves) if leaves else UNKNOWN


def _rebuilt(m: Machine, template: Value, leaves: list[Value]) -> Value:
    rest = list(leaves)
    return map_leaves(template, m.st, lambda _: rest.pop(0) if rest else UNKNOWN, m.allocate)


@describe("jax.tree.leaves", "jax.tree_util.tree_leaves")
def tree_leaves(m: Machine, call: Call) -> Value:
    """`jax.tree.leaves(tree)`."""
    tree = call.argument(0, "tree", UNKNOWN) or UNKNOWN
    _note_placeholders(m, tree, call, "`jax.tree.leaves`")
    if "is_leaf" in call.kwargs:
        return m.new_list(None, UNKNOWN)
    found = flatten(tree, m.st)
    if not found.treedef.known():
        return m.new_list(None, join_all([leaf.value for leaf in found.leaves]))
    return m.new_list(tuple(leaf.value for leaf in found.leaves))


@describe("jax.tree.flatten")
def tree_flatten(m: Machine, call: Call) -> Value:
    """`jax.tree.flatten(tree)`: leaves and structure."""
    leaves = tree_leaves(m, call)
    return Tuple((leaves, tree_structure(m, call)))


@describe("jax.tree.structure")
def tree_structure(m: Machine, call: Call) -> Value:
    """`jax.tree.structure(tree)`."""
    tree = call.argument(0, "tree", UNKNOWN) or UNKNOWN
    return Structure(flatten(tree, m.st).treedef, tree)


def rebuild(m: Machine, structure: Structure, leaves: Value) -> Value:
    """A tree of this structure from new leaves."""
    items = m.items(leaves).exact
    if items is None or not structure.treedef.known():
        return UNKNOWN
    if isinstance(structure.template, Instance):
        return _rebuilt(m, structure.template, list(items))
    return unflatten(structure.treedef, list(items), m.allocate)


@describe("jax.tree.unflatten")
def tree_unflatten(m: Machine, call: Call) -> Value:
    """`jax.tree.unflatten(treedef, leaves)`."""
    treedef = call.argument(0, "treedef", UNKNOWN)
    leaves = call.argument(1, "leaves", UNKNOWN) or UNKNOWN
    return rebuild(m, treedef, leaves) if isinstance(treedef, Structure) else UNKNOWN


def structure_attribute(m: Machine, structure: Structure, name: str) -> Value:
    """`treedef.num_leaves`, `treedef.unflatten`."""
    if name in ("num_leaves", "num_nodes") and structure.treedef.known():
        return (
            Const(len(flatten(structure.template, m.st).leaves))
            if name == "num_leaves"
            else UNKNOWN
        )
    return Method(structure, name)


@describe("jax.tree.reduce")
def tree_reduce(m: Machine, call: Call) -> Value:
    """`jax.tree.reduce(function, tree, initializer)`."""
    function = call.argument(0, "function", UNKNOWN) or UNKNOWN
    tree = call.argument(1, "tree", UNKNOWN) or UNKNOWN
    _note_placeholders(m, tree, call, "`jax.tree.reduce`")
    found = flatten(tree, m.st)
    if not found.treedef.known():
        return UNKNOWN
    values = [leaf.value for leaf in found.leaves]
    initial = call.argument(2, "initializer")
    if initial is not None:
        values.insert(0, initial)
    if not values:
        return UNKNOWN
    total = values[0]
    for value in values[1:]:
        total = m.call(function, Call(call.node, (total, value), {}, False, (None, None)))
    return total


@describe("jax.tree.leaves_with_path")
def leaves_with_path(m: Machine, call: Call) -> Value:
    """`jax.tree.leaves_with_path(tree)`: pairs of a path and a leaf."""
    tree = call.argument(0, "tree", UNKNOWN) or UNKNOWN
    if "is_leaf" in call.kwargs:
        return m.new_list(None, Tuple((UNKNOWN, UNKNOWN)))
    _note_placeholders(m, tree, call, "`jax.tree.leaves_with_path`")
    found = flatten(tree, m.st)
    pairs = tuple(Tuple((UNKNOWN, leaf.value)) for leaf in found.leaves)
    if not found.treedef.known():
        return m.new_list(None, Tuple((UNKNOWN, join_all([leaf.value for leaf in found.leaves]))))
    return m.new_list(pairs)


@describe("jax.tree.flatten_with_path")
def flatten_with_path(m: Machine, call: Call) -> Value:
    """`jax.tree.flatten_with_path(tree)`."""
    return Tuple((leaves_with_path(m, call), tree_structure(m, call)))


@describe("jax.tree.map_with_path")
def map_with_path(m: Machine, call: Call) -> Value:
    """`jax.tree.map_with_path(f, tree, *rest)`: `f` gets the path first."""
    function = call.argument(0, "f", UNKNOWN) or UNKNOWN

    def without_path(mm: Machine, inner: Call) -> Value:
        args = (UNKNOWN, *inner.args)
        return mm.call(function, Call(inner.node, args, {}, inner.open, (None,) * len(args)))

    return tree_map(
        m, Call(call.node, (Native("f", without_path), *call.args[1:]), call.kwargs, call.open)
    )


@describe("jax.flatten_util.ravel_pytree")
def ravel_pytree(m: Machine, call: Call) -> Value:
    """`ravel_pytree(tree)`: one flat array and the way back."""
    tree = call.argument(0, "pytree", UNKNOWN) or UNKNOWN
    found = flatten(tree, m.st)
    size: int | None = 0
    dtypes = set()
    taint: frozenset[int] = frozenset()
    for leaf in found.leaves:
        array = as_array(array_calls.operand(m, leaf.value))
        taint |= array.taint
        dtypes.add(array.dtype)
        shape = array.shape
        if shape is None or None in shape or size is None:
            size = None
        else:
            size += math.prod(one for one in shape if one is not None)
    dtype = dtypes.pop() if len(dtypes) == 1 else None
    known = size if found.treedef.known() else None
    flat = Array((known,), dtype, None, "jax", taint)
    return Tuple(
        (
            flat,
            Native("unravel", lambda mm, inner: map_leaves(tree, mm.st, _shape_only, mm.allocate)),
        )
    )


def _shape_only(leaf: Value) -> Value:
    return Array(leaf.shape, leaf.dtype) if isinstance(leaf, Array) else UNKNOWN


@describe("jax.tree.all", "jax.tree.broadcast", "jax.tree.transpose", "jax.tree_util.keystr")
def not_followed(m: Machine, call: Call) -> Value:
    """Tree functions whose results are not followed; a mapped function is still looked into."""
    return UNKNOWN


# -- registration --------------------------------------------------------------------------------


def _decorator(m: Machine, call: Call, register) -> Value:  # type: ignore[no-untyped-def]
    """A registration used as `@register`, `@register(...)` or `register(cls, ...)`."""
    if call.args and isinstance(call.args[0], ClassV):
        m.changes_class(call.args[0])
        register(call.args[0])
        return call.args[0]

    def later(mm: Machine, inner: Call) -> Value:
        if inner.args and isinstance(inner.args[0], ClassV):
            mm.changes_class(inner.args[0])
            register(inner.args[0])
        return inner.args[0] if inner.args else UNKNOWN

    return Native("register", later)


def _strings(m: Machine, value: Value | None) -> list[str] | None:
    if value is None:
        return None
    items = m.items(value).exact
    if items is None:
        return None
    return [str(item.value) for item in items if isinstance(item, Const)]


@describe("jax.tree_util.register_dataclass")
def register_dataclass(m: Machine, call: Call) -> Value:
    """`register_dataclass(cls, data_fields=None, meta_fields=None)`."""
    data = _strings(m, call.argument(1, "data_fields"))
    meta = _strings(m, call.argument(2, "meta_fields"))

    def register(cls: ClassV) -> None:
        shape = cls.shape
        shape.pytree = "fields"
        static = m.notes.get(("meta fields", cls.id), frozenset())
        if data is not None:
            shape.data_fields = data
        else:
            shape.data_fields = [
                f for f in shape.fields if f not in static and f not in (meta or ())
            ]

    return _decorator(m, call, register)


@describe("jax.tree_util.register_static")
def register_static(m: Machine, call: Call) -> Value:
    """A class without children."""

    def register(cls: ClassV) -> None:
        cls.shape.pytree = "fields"
        cls.shape.data_fields = []

    return _decorator(m, call, register)


@describe("jax.tree_util.register_pytree_node", "jax.tree_util.register_pytree_with_keys")
def register_node(m: Machine, call: Call) -> Value:
    """`register_pytree_node(cls, flatten_func, unflatten_func)`."""
    cls = call.argument(0, "nodetype")
    flatten_function = call.argument(1, "flatten_func")
    if isinstance(cls, ClassV):
        m.changes_class(cls)
        _register_by_flatten(cls, flatten_function)
    return NONE


@describe(
    "jax.tree_util.register_pytree_node_class", "jax.tree_util.register_pytree_with_keys_class"
)
def register_node_class(m: Machine, call: Call) -> Value:
    """The decorator for classes with `tree_flatten` and `tree_unflatten`."""

    def register(cls: ClassV) -> None:
        names = m.object(cls.id)
        member = names.names.get("tree_flatten") if isinstance(names, Attributes) else None
        _register_by_flatten(cls, member)

    return _decorator(m, call, register)


def _register_by_flatten(cls: ClassV, function: Value | None) -> None:
    """Read the children out of a flatten function of the usual form: `return (self.a, self.b), aux`."""
    shape = cls.shape
    shape.pytree = "unknown"
    if not isinstance(function, Function):
        return
    node = function.node
    if isinstance(node, ast.Lambda):
        returned: ast.expr | None = node.body
    else:
        returns = [s for s in ast.walk(node) if isinstance(s, ast.Return)]
        returned = returns[0].value if len(returns) == 1 else None
    arguments = node.args.args
    if not arguments or not isinstance(returned, ast.Tuple) or len(returned.elts) != 2:
        return
    children = returned.elts[0]
    if isinstance(children, ast.Name):
        children = _assigned(node, children.id) or children
    if not isinstance(children, (ast.Tuple, ast.List)):
        return
    owner = arguments[0].arg
    fields = []
    for child in children.elts:
        if not (
            isinstance(child, ast.Attribute)
            and isinstance(child.value, ast.Name)
            and child.value.id == owner
        ):
            return
        fields.append(child.attr)
    shape.pytree = "fields"
    shape.data_fields = fields


def _assigned(node: ast.AST, name: str) -> ast.expr | None:
    """The one expression that a name is assigned in a function body."""
    found = [
        statement.value
        for statement in ast.walk(node)
        if isinstance(statement, ast.Assign)
        and any(isinstance(target, ast.Name) and target.id == name for target in statement.targets)
    ]
    return found[0] if len(found) == 1 else None

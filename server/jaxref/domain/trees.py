"""Pytrees as JAX flattens them: `None` is an empty tree, dict keys are sorted, namedtuples and
registered classes are nodes, everything else is a leaf."""

from __future__ import annotations

from collections.abc import Callable

from jaxref.domain.heap import Attributes, DictObject, ListObject, State
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    Const,
    DictV,
    Instance,
    ListV,
    Opaque,
    Partial,
    RefValue,
    Sentinel,
    Tuple,
    Union,
    Unknown,
    Value,
    join,
)
from jaxref.quick_dataclasses import dataclass

MAX_NODES = 10_000
"""Of one tree. A value that holds another one twice, sixty times over, is small, its tree is not."""

MAX_DEPTH = 40


@dataclass(frozen=True, slots=True)
class Leaf:
    """A leaf and its path as JAX prints it behind the argument, e.g. `[0]['w']`."""

    path: str
    value: Value


@dataclass(frozen=True, slots=True)
class TreeDef:
    """The structure of a tree.

    `kind` is leaf, none, tuple, list, dict, namedtuple, custom, or unknown (any structure). `label`
    tells nodes of one kind apart (keys of a dict, the class of a namedtuple or a registered class).
    """

    kind: str
    children: tuple[TreeDef, ...] = ()
    label: object = None

    def known(self) -> bool:
        """True when no part of the structure is unknown."""
        return self.kind != "unknown" and all(child.known() for child in self.children)

    def text(self) -> str:
        """The structure as `jax.tree.structure` prints it."""
        match self.kind:
            case "leaf":
                return "*"
            case "none":
                return "None"
            case "unknown":
                return "?"
            case "tuple":
                inner = ", ".join(child.text() for child in self.children)
                return f"({inner},)" if len(self.children) == 1 else f"({inner})"
            case "list":
                return f"[{', '.join(child.text() for child in self.children)}]"
            case "dict":
                keys = self.label if isinstance(self.label, tuple) else ()
                pairs = zip(keys, self.children, strict=False)
                return "{" + ", ".join(f"{key!r}: {child.text()}" for key, child in pairs) + "}"
        name = self.label[1] if isinstance(self.label, tuple) and len(self.label) > 1 else self.kind
        return f"{name}({', '.join(child.text() for child in self.children)})"


LEAF = TreeDef("leaf")
EMPTY = TreeDef("none")
ANY_TREE = TreeDef("unknown")


@dataclass(frozen=True, slots=True)
class Tree:
    """A flattened value: its leaves in JAX's order and its structure."""

    leaves: tuple[Leaf, ...]
    treedef: TreeDef


def _sorted_keys(keys: list[object]) -> list[object] | None:
    try:
        return sorted(keys)  # type: ignore[type-var]
    except TypeError:
        return None


def children_of(value: Value, state: State) -> tuple[str, object, list[tuple[str, Value]]] | None:
    """The node kind, label and named children of a value, or None for a leaf.

    Kind "unknown" means that the value may have any structure.
    """
    if isinstance(value, Const):
        return ("none", None, []) if value.value is None else None
    if isinstance(value, Tuple):
        if value.names:
            label = (value.cls, value.cls_name, value.names)
            pairs = [(f".{n}", v) for n, v in zip(value.names, value.items, strict=False)]
            return "namedtuple", label, pairs
        return "tuple", None, [(f"[{i}]", v) for i, v in enumerate(value.items)]
    if isinstance(value, ListV):
        items = state.objects[value.id]
        assert isinstance(items, ListObject)
        if items.kind in ("set", "iterator"):
            return None
        if items.items is None:
            return "unknown", None, []
        return "list", None, [(f"[{i}]", v) for i, v in enumerate(items.items)]
    if isinstance(value, DictV):
        entries = state.objects[value.id]
        assert isinstance(entries, DictObject)
        keys = _sorted_keys(list(entries.entries))
        if entries.open or keys is None:
            return "unknown", None, []
        return "dict", tuple(keys), [(f"[{k!r}]", entries.entries[k]) for k in keys]
    if isinstance(value, Instance):
        shape = value.cls.shape
        if shape.pytree == "fields":
            attributes = state.objects[value.id]
            assert isinstance(attributes, Attributes)
            fields = [(f".{n}", attributes.names.get(n, UNKNOWN)) for n in shape.data_fields]
            return "custom", (value.cls.id, value.cls.name), fields
        if shape.pytree == "unknown" or shape.opaque_base:
            return "unknown", None, []
        return None
    if isinstance(value, Sentinel):
        # GradRef and DidntWant are registered without children; their classes and the other
        # sentinels are leaves.
        if value.instance and value.kind in ("GradRef", "DidntWant"):
            return "custom", (value.kind, value.kind), []
        return None
    if isinstance(value, Partial) or (isinstance(value, RefValue) and value.tree):
        return "unknown", None, []
    if isinstance(value, Union):
        # Different leaves on different paths are one leaf; containers may differ in structure.
        if all(children_of(option, state) is None for option in value.options):
            return None
        return "unknown", None, []
    if isinstance(value, (Unknown, Opaque)):
        return "unknown", None, []
    return None


def flatten(value: Value, state: State, depth: int = 0, left: list[int] | None = None) -> Tree:
    """The tree of `value`. A part of unknown structure counts as one leaf with `ANY_TREE`.

    So does what is behind the first `MAX_NODES` nodes; `left` is how many of them are left.
    """
    if left is None:
        left = [MAX_NODES]
    left[0] -= 1
    if left[0] < 0:
        return Tree((Leaf("", value),), ANY_TREE)
    node = children_of(value, state)
    if node is None:
        return Tree((Leaf("", value),), LEAF)
    kind, label, children = node
    if kind == "none":
        return Tree((), EMPTY)
    if kind == "unknown" or depth > MAX_DEPTH:
        return Tree((Leaf("", value),), ANY_TREE)
    leaves: list[Leaf] = []
    defs: list[TreeDef] = []
    for name, child in children:
        tree = flatten(child, state, depth + 1, left)
        leaves += [Leaf(name + leaf.path, leaf.value) for leaf in tree.leaves]
        defs.append(tree.treedef)
    return Tree(tuple(leaves), TreeDef(kind, tuple(defs), label))


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where two structures differ: the path, and what stands there in each."""

    path: str
    left: TreeDef
    right: TreeDef


def mismatch(left: TreeDef, right: TreeDef, path: str = "") -> Mismatch | None:
    """The first certain difference of two structures; unknown parts differ from nothing."""
    if left.kind == "unknown" or right.kind == "unknown":
        return None
    if (
        left.kind != right.kind
        or left.label != right.label
        or len(left.children) != len(right.children)
    ):
        return Mismatch(path, left, right)
    for index, (a, b) in enumerate(zip(left.children, right.children, strict=True)):
        found = mismatch(a, b, path + child_path(left, index))
        if found is not None:
            return found
    return None


def child_path(treedef: TreeDef, index: int) -> str:
    """The path step to a child, as JAX prints it."""
    if treedef.kind == "dict" and isinstance(treedef.label, tuple):
        return f"[{treedef.label[index]!r}]"
    return f"[{index}]"


def map_leaves(
    value: Value,
    state: State,
    change: Callable[[Value], Value],
    allocate: Callable[[object], int],
    depth: int = 0,
    left: list[int] | None = None,
) -> Value:
    """A value of the same structure with `change` applied to each leaf.

    Containers are made anew, as JAX does when it unflattens. Parts of unknown structure are given to
    `change` as they are. What is behind the first `MAX_NODES` nodes is Unknown; `left` is how many of
    them are left.
    """
    if left is None:
        left = [MAX_NODES]
    left[0] -= 1
    if depth > MAX_DEPTH or left[0] < 0:
        return UNKNOWN
    if isinstance(value, Union):
        result: Value | None = None
        for option in value.options:
            one = map_leaves(option, state, change, allocate, depth + 1, left)
            result = one if result is None else join(result, one)
        return result if result is not None else UNKNOWN
    if isinstance(value, ListV):
        items = state.objects[value.id]
        if isinstance(items, ListObject) and items.kind not in ("set", "iterator"):
            if items.items is None:
                rest = map_leaves(items.rest, state, change, allocate, depth + 1, left)
                return ListV(allocate(ListObject(None, rest)))
            inner = tuple(
                map_leaves(v, state, change, allocate, depth + 1, left) for v in items.items
            )
            return ListV(allocate(ListObject(inner)))
    if isinstance(value, DictV):
        entries = state.objects[value.id]
        if isinstance(entries, DictObject):
            keys = _sorted_keys(list(entries.entries)) or list(entries.entries)
            changed = {
                key: map_leaves(entries.entries[key], state, change, allocate, depth + 1, left)
                for key in keys
            }
            rest = (
                map_leaves(entries.rest, state, change, allocate, depth + 1, left)
                if entries.open
                else UNKNOWN
            )
            return DictV(allocate(DictObject(changed, entries.open, rest)))
    node = children_of(value, state)
    if node is None or node[0] == "unknown":
        return change(value)
    if node[0] == "none":
        return NONE
    if isinstance(value, Tuple):
        inner = tuple(map_leaves(v, state, change, allocate, depth + 1, left) for v in value.items)
        return Tuple(inner, value.names, value.cls, value.cls_name)
    if isinstance(value, Instance):
        attributes = state.objects[value.id]
        assert isinstance(attributes, Attributes)
        names = dict(attributes.names)
        for name in value.cls.shape.data_fields:
            names[name] = map_leaves(
                names.get(name, UNKNOWN), state, change, allocate, depth + 1, left
            )
        return Instance(allocate(Attributes(names, attributes.open)), value.cls)
    return value


def leaf_values(value: Value, state: State) -> list[Value]:
    """The leaves of `value`, parts of unknown structure included, looked into where they are known."""
    found: list[Value] = []

    def note(leaf: Value) -> Value:
        found.append(leaf)
        return leaf

    map_leaves(value, state, note, lambda _: 0)
    return found


def unflatten(treedef: TreeDef, leaves: list[Value], allocate: Callable[[object], int]) -> Value:
    """A value of this structure; takes its leaves from the front of `leaves`.

    Nodes of registered classes and parts of unknown structure are Unknown (their leaves are taken).
    """
    match treedef.kind:
        case "leaf":
            return leaves.pop(0) if leaves else UNKNOWN
        case "none":
            return NONE
        case "unknown":
            if leaves:
                leaves.pop(0)
            return UNKNOWN
    children = tuple(unflatten(child, leaves, allocate) for child in treedef.children)
    match treedef.kind:
        case "tuple":
            return Tuple(children)
        case "namedtuple":
            label = treedef.label
            if isinstance(label, tuple) and len(label) == 3:
                return Tuple(children, label[2], label[0], label[1])
        case "list":
            return ListV(allocate(ListObject(children)))
        case "dict":
            keys = treedef.label if isinstance(treedef.label, tuple) else ()
            return DictV(allocate(DictObject(dict(zip(keys, children, strict=False)))))
    return UNKNOWN

"""Fresh gradient refs for the Ref-typed primals of a VJP, entries that bind them, and their values."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from jaxref.domain.trees import TreeDef
from jaxref.facts import PrimalLeaf
from jaxref.fixes.edits import NotPossible, Patch, can_precede
from jaxref.fixes.names import fresh, gradient_name, last_part
from jaxref.fixes.primals import (
    Primal,
    is_key,
    is_path,
    is_sequence,
    is_whole_number,
    means_the_same,
)
from jaxref.quick_dataclasses import dataclass, field

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Literal, TypeAlias

Plan: TypeAlias = 'Literal["ref", "value", "dont"]'
"""What is to happen to the gradient of a leaf: accumulated into a fresh ref, returned, not computed."""


def by_type(leaf: PrimalLeaf) -> Plan:
    """A ref for the gradient of a ref, a value for that of an array."""
    return "ref" if leaf.is_ref else "value"


def skipping(leaf: PrimalLeaf) -> Plan:
    """No gradient for refs, a value for arrays."""
    return "dont" if leaf.is_ref else "value"


RESULT = "\0"
"""Stands for the value of the application in the expression of a gradient."""


@dataclass(frozen=True, slots=True)
class Entries:
    """What to bind: `statements` make the refs, `texts` are the arguments of `with_refs`."""

    statements: tuple[str, ...]
    texts: tuple[str, ...]
    gradients: tuple[Gradient, ...]
    inline: tuple[str, ...] | None
    """The entries with the refs made in place, for where no statement can stand; None when a value
    could not be made in place."""


@dataclass(frozen=True, slots=True)
class Gradient:
    """The gradient of one primal, or of those a starred argument stands for.

    `accumulated` is the expression that reads it from refs, with `RESULT` in it where a part comes from
    the application; None where the application returns it all.
    """

    first: int
    count: int
    accumulated: str | None
    starred: bool

    def read(self, result: str) -> str:
        """The gradient, given the name of what the application returned."""
        if self.accumulated is not None:
            return self.accumulated.replace(RESULT, result)
        return (
            f"{result}[{self.first}]"
            if not self.starred
            else f"{result}[{self.first}:{self.first + self.count}]"
        )

    def item(self, result: str) -> str:
        """The gradient as an item of a tuple of all gradients."""
        return f"*{self.read(result)}" if self.starred else self.read(result)


@dataclass
class _Maker:
    patch: Patch
    at: ast.AST
    """The statements go to the scope of this node,"""
    offset: int
    """and to this place."""
    names: set[str] = field(default_factory=set)
    statements: list[str] = field(default_factory=list)
    hoist: ast.stmt | None = None
    """The `jax.vjp` statement, before which arguments that are calls may get a name."""
    hoisted: dict[ast.expr, str] = field(default_factory=dict)

    def jax(self, dotted: str) -> str:
        return self.patch.jax(dotted, self.at)

    def zero_ref(self, text: str) -> str:
        return f"{self.jax('jax.new_ref')}({self.jax('jax.numpy.zeros_like')}({text}))"

    def value(self) -> str:
        return f"{self.jax('jax.ad.GradValue')}()"

    def name(self, node: ast.AST | None, fallback: str) -> str:
        scope = self.patch.program.function_scope(self.at)
        made = fresh(gradient_name(node, fallback), scope, self.names)
        self.names.add(made)
        return made

    def lambda_name(self, wanted: str) -> str:
        """A parameter for a lambda that hides nothing its body needs, which is JAX alone."""
        needed = (
            "jax.new_ref",
            "jax.numpy.zeros_like",
            "jax.ad.DontWant",
            "jax.Ref",
            "jax.tree.map",
        )
        roots = {self.jax(name).partition(".")[0] for name in needed}
        return f"{wanted}_" if wanted in roots else wanted


def entries_for(
    patch: Patch,
    primals: Sequence[Primal],
    at: ast.AST,
    *,
    offset: int | None = None,
    plan: Callable[[PrimalLeaf], Plan] = by_type,
    taken: frozenset[str] = frozenset(),
    hoist: ast.stmt | None = None,
) -> Entries:
    """Entries for all primals, with a fresh ref for each leaf that is planned to have one.

    The statements are meant for the scope of the node `at`, and for its start or for `offset`. Raises `NotPossible` where a ref that is
    needed cannot be named there. With `hoist`, the statement of `jax.vjp`, its arguments may get names.
    """
    maker = _Maker(
        patch, at, patch.program.span(at).start if offset is None else offset, set(taken)
    )
    maker.hoist = hoist
    texts: list[str] = []
    inline: list[str] | None = []
    gradients: list[Gradient] = []
    for primal in primals:
        entry, in_place, accumulated = _entry(maker, primal, plan)
        texts.append(entry)
        if inline is not None:
            inline = [*inline, in_place] if in_place is not None else None
        gradients.append(Gradient(primal.first, primal.count, accumulated, primal.starred))
    return Entries(
        tuple(maker.statements),
        tuple(texts),
        tuple(gradients),
        tuple(inline) if inline is not None else None,
    )


def _entry(
    maker: _Maker, primal: Primal, plan: Callable[[PrimalLeaf], Plan]
) -> tuple[str, str | None, str | None]:
    """The entry, the entry with its refs made in place, and the accumulated gradient."""
    if any(is_key(leaf) and leaf.is_ref for leaf in primal.leaves):
        raise NotPossible
    wanted = [leaf for leaf in primal.leaves if plan(leaf) == "ref"]
    if not wanted:
        entry = _without_refs(maker, primal, plan)
        return entry, entry, None
    if primal.starred:
        return _starred(maker, primal, wanted)
    treedef = primal.treedefs[0]
    if treedef.kind == "leaf":
        if is_whole_number(wanted[0]) and not wanted[0].is_ref:
            raise NotPossible
        return _single(maker, primal.node, primal.item, primal.name)
    if isinstance(primal.node, (ast.Dict, ast.Tuple, ast.List)) and primal.item is None:
        return _display(maker, primal.node, treedef, list(primal.leaves), plan, f"[{primal.first}]")
    if any(plan(leaf) == "dont" for leaf in primal.leaves):
        raise NotPossible
    return _tree(maker, primal, wanted)


def _reachable(maker: _Maker, node: ast.expr, item: int | None = None) -> str:
    program = maker.patch.program
    if maker.hoist is not None and not is_path(node):
        return _hoisted(maker, maker.hoist, node) + (f"[{item}]" if item is not None else "")
    if not means_the_same(program, node, maker.at, maker.offset):
        raise NotPossible
    if item is not None and not is_sequence(program, node):
        raise NotPossible
    return program.words(node) + (f"[{item}]" if item is not None else "")


def _hoisted(maker: _Maker, statement: ast.stmt, node: ast.expr) -> str:
    """The name of a variable for the value of `node`, assigned before the `jax.vjp` statement."""
    program = maker.patch.program
    if node in maker.hoisted:
        return maker.hoisted[node]
    if not isinstance(node, ast.Call) or can_precede(program, node) is not statement:
        raise NotPossible
    last = last_part(node.func).strip("_")
    name = fresh(
        last if last.isidentifier() else "primal", program.function_scope(statement), maker.names
    )
    maker.names.add(name)
    maker.hoisted[node] = name
    maker.patch.before(statement, f"{name} = {program.source(node)}")
    maker.patch.replace(node, name)
    return name


def _single(
    maker: _Maker, node: ast.expr, item: int | None = None, parameter: str = ""
) -> tuple[str, str | None, str | None]:
    text = _like(maker, node) if item is None else _reachable(maker, node, item)
    made = maker.zero_ref(text)
    name = maker.name(node if item is None or not parameter else None, parameter)
    maker.statements.append(f"{name} = {made}")
    return name, made, f"{name}[...]"


def _like(maker: _Maker, node: ast.expr) -> str:
    """An expression with the shape and dtype of the ref that `node` is."""
    match node:
        case ast.Call(args=[initial, *_]) if _makes_ref(maker, node):
            # The ref has no name of its own; what it is made from has its type.
            return _reachable(maker, initial)
    return _reachable(maker, node)


def _makes_ref(maker: _Maker, node: ast.Call) -> bool:
    text = maker.patch.program.source(node.func)
    return text == maker.patch.jax("jax.new_ref", node)


def _starred(
    maker: _Maker, primal: Primal, wanted: list[PrimalLeaf]
) -> tuple[str, str | None, str | None]:
    if len(wanted) != len(primal.leaves):
        raise NotPossible
    text = _reachable(maker, primal.node)
    name = maker.name(primal.node, "")
    item = maker.lambda_name("ref")
    if all(treedef.kind == "leaf" for treedef in primal.treedefs):
        made = f"[{maker.zero_ref(item)} for {item} in {text}]"
        read = f"[{item}[...] for {item} in {name}]"
    else:
        tree_map = maker.jax("jax.tree.map")
        made = f"{tree_map}(lambda {item}: {maker.zero_ref(item)}, list({text}))"
        read = f"{tree_map}(lambda {item}: {item}[...], {name})"
    maker.statements.append(f"{name} = {made}")
    return f"*{name}", f"*{made}", read


def _tree(
    maker: _Maker, primal: Primal, wanted: list[PrimalLeaf]
) -> tuple[str, str | None, str | None]:
    """A whole tree by `jax.tree.map`. Its arrays get refs, too, so that all gradients are in one tree."""
    text = _reachable(maker, primal.node, primal.item)
    if not primal.treedefs[0].known():
        raise NotPossible
    name = maker.name(primal.node if primal.item is None or not primal.name else None, primal.name)
    tree_map = maker.jax("jax.tree.map")
    only_refs = all(leaf.is_ref for leaf in wanted) and len(wanted) == len(primal.leaves)
    item = maker.lambda_name("ref" if only_refs else "leaf")
    others = [leaf for leaf in primal.leaves if not leaf.is_ref]
    if any(is_whole_number(leaf) or is_key(leaf) for leaf in others):
        raise NotPossible
    made = f"{tree_map}(lambda {item}: {maker.zero_ref(item)}, {text})"
    maker.statements.append(f"{name} = {made}")
    ref = maker.lambda_name("ref")
    return name, made, f"{tree_map}(lambda {ref}: {ref}[...], {name})"


def _display(
    maker: _Maker,
    node: ast.expr,
    treedef: TreeDef,
    leaves: list[PrimalLeaf],
    plan: Callable[[PrimalLeaf], Plan],
    path: str,
) -> tuple[str, str | None, str | None]:
    """Entries spelled out like the display of the primal itself."""
    if treedef.kind == "leaf":
        leaf = leaves.pop(0)
        if plan(leaf) == "value":
            return maker.value(), maker.value(), RESULT + path
        if plan(leaf) == "dont":
            dont = f"{maker.jax('jax.ad.DontWant')}()"
            return dont, dont, RESULT + path
        return _single(maker, node)
    if treedef.kind == "none":
        return "None", "None", "None"
    match node:
        case ast.Tuple() | ast.List() if treedef.kind == (
            "tuple" if isinstance(node, ast.Tuple) else "list"
        ):
            if len(node.elts) != len(treedef.children):
                raise NotPossible
            parts = [
                _display(maker, item, child, leaves, plan, f"{path}[{i}]")
                for i, (item, child) in enumerate(zip(node.elts, treedef.children, strict=True))
            ]
            left, right = ("(", ")") if isinstance(node, ast.Tuple) else ("[", "]")
            end = ",)" if isinstance(node, ast.Tuple) and len(parts) == 1 else right

            def listed(texts: list[str]) -> str:
                return left + ", ".join(texts) + end

            return _joined(parts, listed)
        case ast.Dict() if treedef.kind == "dict" and isinstance(treedef.label, tuple):
            by_key: dict[object, tuple[ast.expr, ast.expr]] = {}
            for key, value in zip(node.keys, node.values, strict=True):
                if not isinstance(key, ast.Constant) or key.value in by_key:
                    raise NotPossible
                by_key[key.value] = (key, value)
            if set(by_key) != set(treedef.label):
                raise NotPossible
            source = maker.patch.program.source
            # Leaves come in the order of the sorted keys, the text in the user's.
            made = {
                key: _display(
                    maker, by_key[key][1], child, leaves, plan, f"{path}[{source(by_key[key][0])}]"
                )
                for key, child in zip(treedef.label, treedef.children, strict=True)
            }
            order = list(by_key)

            def mapped(texts: list[str]) -> str:
                pairs = zip(order, texts, strict=True)
                return (
                    "{"
                    + ", ".join(f"{source(by_key[key][0])}: {text}" for key, text in pairs)
                    + "}"
                )

            return _joined([made[key] for key in order], mapped)
    count = _leaf_count(treedef)
    inner = [leaves.pop(0) for _ in range(count)]
    primal = Primal(node, 0, 1, False, tuple(inner), (treedef,))
    wanted = [leaf for leaf in inner if plan(leaf) == "ref"]
    if not wanted:
        entry = _without_refs(maker, primal, plan)
        return entry, entry, RESULT + path
    return _tree(maker, primal, wanted)


def _leaf_count(treedef: TreeDef) -> int:
    if treedef.kind in ("leaf", "unknown"):
        return 1
    return sum(_leaf_count(child) for child in treedef.children)


def _joined(
    parts: list[tuple[str, str | None, str | None]], write: Callable[[list[str]], str]
) -> tuple[str, str | None, str | None]:
    inline = [part[1] for part in parts]
    read = [part[2] for part in parts]
    return (
        write([part[0] for part in parts]),
        write([text for text in inline if text is not None])
        if all(text is not None for text in inline)
        else None,
        write([text for text in read if text is not None])
        if all(text is not None for text in read)
        else None,
    )


def _without_refs(maker: _Maker, primal: Primal, plan: Callable[[PrimalLeaf], Plan]) -> str:
    """Entries where every gradient comes back as a value or, for refs, not at all."""
    skipped = [leaf for leaf in primal.leaves if plan(leaf) == "dont"]
    if primal.starred:
        return _without_refs_starred(maker, primal, skipped)
    kind = primal.treedefs[0].kind
    if kind == "leaf":
        return f"{maker.jax('jax.ad.DontWant')}()" if skipped else maker.value()
    if kind == "none":
        return "None"
    shown = isinstance(primal.node, (ast.Tuple, ast.List, ast.Dict)) and primal.item is None
    if shown and primal.treedefs[0].known():
        return _display(maker, primal.node, primal.treedefs[0], list(primal.leaves), plan, "")[0]
    return f"{maker.jax('jax.tree.map')}({_choice(maker, primal, skipped)}, {_reachable(maker, primal.node, primal.item)})"


def _choice(maker: _Maker, primal: Primal, skipped: list[PrimalLeaf]) -> str:
    """A function from a leaf to its entry."""
    if not skipped:
        return f"lambda _: {maker.value()}"
    dont = f"{maker.jax('jax.ad.DontWant')}()"
    if len(skipped) == len(primal.leaves) and all(treedef.known() for treedef in primal.treedefs):
        return f"lambda _: {dont}"
    if any(leaf.is_ref != (leaf in skipped) for leaf in primal.leaves):
        raise NotPossible
    leaf = maker.lambda_name("leaf")
    return (
        f"lambda {leaf}: {dont} if isinstance({leaf}, {maker.jax('jax.Ref')}) else {maker.value()}"
    )


def _without_refs_starred(maker: _Maker, primal: Primal, skipped: list[PrimalLeaf]) -> str:
    if all(treedef.kind == "leaf" for treedef in primal.treedefs) and len(skipped) in (
        0,
        len(primal.leaves),
    ):
        kind = "DontWant" if skipped else "GradValue"
        return ", ".join([f"{maker.jax(f'jax.ad.{kind}')}()"] * primal.count)
    text = _reachable(maker, primal.node)
    return f"*{maker.jax('jax.tree.map')}({_choice(maker, primal, skipped)}, list({text}))"

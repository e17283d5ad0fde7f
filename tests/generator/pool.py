"""Module-level arrays and refs, made in the ways in which programs make them."""

from __future__ import annotations

from dataclasses import dataclass

from generator.bodies import constant
from generator.draft import Arr, Draft, Group, Ref, Scope, Shape

SHAPES: tuple[Shape, ...] = ((), (3,), (3,), (2, 3), (2, 2), (4,))


@dataclass(frozen=True, slots=True)
class Tree:
    """A container that a program holds refs or arrays in.

    `text` names it. `kind` is leaf, tuple, list, dict or record (a class of the program, `label`).
    `parts` are (key, tree) pairs; a leaf has the array or ref that it is.
    """

    text: str
    kind: str
    leaf: Arr | Ref | None = None
    parts: tuple[tuple[str, Tree], ...] = ()
    label: str = ""

    def leaves(self) -> list[Arr | Ref]:
        """The leaves in the order in which JAX counts them (keys of dicts sorted)."""
        if self.leaf is not None:
            return [self.leaf]
        parts = sorted(self.parts) if self.kind == "dict" else self.parts
        return [leaf for _, part in parts for leaf in part.leaves()]

    def group(self) -> Group | None:
        """The container as something to loop over; None when it is none, or not only of refs."""
        refs = tuple(part.leaf for _, part in self.parts if isinstance(part.leaf, Ref))
        if len(refs) != len(self.parts) or not refs:
            return None
        return Group(self.text, f"{self.text}.values()" if self.kind == "dict" else self.text, refs)

    def at(self, text: str) -> Tree:
        """The same tree under another name."""
        if self.leaf is not None:
            if isinstance(self.leaf, Arr):
                return Tree(text, "leaf", Arr(text, self.leaf.shape, self.leaf.dtype))
            leaf = self.leaf
            return Tree(
                text,
                "leaf",
                Ref(text, leaf.shape, leaf.dtype, leaf.tainted, leaf.writable, leaf.uses),
            )
        return Tree(
            text, self.kind, None,
            tuple((key, part.at(text + step(self.kind, key))) for key, part in self.parts), self.label,
        )  # fmt: skip


def step(kind: str, key: str) -> str:
    """What leads from a container to a part."""
    return {"dict": f"['{key}']", "record": f".{key}"}.get(kind, f"[{key}]")


def written(kind: str, label: str, parts: list[tuple[str, str]]) -> str:
    """A display of a container from the words for its parts."""
    words = [text for _, text in parts]
    if kind == "tuple":
        return f"({', '.join(words)}{',' if len(words) == 1 else ''})"
    if kind == "list":
        return f"[{', '.join(words)}]"
    if kind == "record":
        return f"{label}({', '.join(words)})"
    return "{" + ", ".join(f"'{key}': {text}" for key, text in parts) + "}"


def make_array(d: Draft, scope: Scope) -> Arr:
    """A new module-level array."""
    shape = d.pick(SHAPES)
    name = d.fresh(d.pick(["x", "y", "data"]))
    source = constant(d, shape)
    if shape and d.chance(0.15):
        source = f"jax.random.normal(jax.random.key(0), {shape})"
    d.say(f"{name} = {source}")
    made = Arr(name, shape)
    scope.arrays.append(made)
    return made


def ref_source(d: Draft, scope: Scope, shape: Shape, dtype: str = "float32") -> str:
    """An expression that makes a ref of this type."""
    if dtype == "key":
        return "jax.new_ref(jax.random.key(0))"
    if dtype == "int32":
        return d.pick(
            ["jax.new_ref(0)", "jax.new_ref(jnp.zeros((), jnp.int32))", "jax.new_ref(jnp.array(0))"]
        )
    options = [f"jax.new_ref({constant(d, shape)})"] * 3
    if shape == ():
        options.append("jax.new_ref(0.0)")
    same = [a for a in scope.arrays if a.shape == shape and a.dtype == "float32"]
    if same:
        options.append(f"jax.new_ref(jnp.zeros_like({d.pick(same).text}))")
        options.append(f"jax.new_ref({d.pick(same).text} * 0.1)")
    if d.chance(0.2):
        d.need("fresh", "def fresh(*shape):", "    return jax.new_ref(jnp.ones(shape))")
        options.append(f"fresh({', '.join(map(str, shape))})")
    return d.pick(options)


def make_ref(d: Draft, scope: Scope, shape: Shape | None = None, dtype: str = "float32") -> Ref:
    """A new ref with a name of its own."""
    shape = d.pick(SHAPES) if shape is None else shape
    name = d.fresh(
        {"int32": "count", "key": "key_ref"}.get(dtype) or d.pick(["w", "b", "state", "r"])
    )
    source = ref_source(d, scope, shape, dtype)
    if (
        dtype != "key"
        and source.count("jax.new_ref") == 1
        and source.startswith("jax.new_ref(")
        and d.chance(0.04)
    ):
        source = f"{source[:-1]}, kind='no_grad_no_remat')"
    d.say(f"{name} = {source}")
    made = Ref(name, shape, dtype)
    scope.refs.append(made)
    return made


def make_tree(d: Draft, scope: Scope, of_refs: bool = True) -> Tree:
    """A container of refs (or arrays), with a name of its own."""
    kind = d.pick(["tuple", "list", "dict", "dict", "record"])
    keys = ["0", "1"] if kind in ("tuple", "list") else ["w", "b"]
    label = ""
    if kind == "record":
        label = d.need("Params", "class Params(NamedTuple):", "    w: object", "    b: object")
        d.imports.add("from typing import NamedTuple")
    name = d.fresh(d.pick(["params", "layer", "store"]))
    shapes = [d.pick(SHAPES) for _ in keys]
    if kind == "list" and d.chance(0.5):
        shapes = [shapes[0]] * 2
        size = shapes[0]
        inner = f"jnp.ones({size})"
        d.say(f"{name} = [{f'jax.new_ref({inner})' if of_refs else inner} for _ in range(2)]")
    elif kind == "dict" and of_refs and d.chance(0.3):
        arrays = written(
            kind, label, [(k, constant(d, s)) for k, s in zip(keys, shapes, strict=True)]
        )
        d.say(f"{name} = jax.tree.map(jax.new_ref, {arrays})")
    elif kind == "dict" and of_refs and d.chance(0.3):
        d.say(f"{name} = {{key: jax.new_ref(jnp.zeros({shapes[0]})) for key in ('w', 'b')}}")
        shapes = [shapes[0]] * 2
    else:
        texts = [ref_source(d, scope, s) if of_refs else constant(d, s) for s in shapes]
        d.say(f"{name} = {written(kind, label, list(zip(keys, texts, strict=True)))}")
    parts: list[tuple[str, Tree]] = []
    for key, shape in zip(keys, shapes, strict=True):
        text = name + step(kind, key)
        leaf: Arr | Ref = Ref(text, shape) if of_refs else Arr(text, shape)
        parts.append((key, Tree(text, "leaf", leaf)))
    made = Tree(name, kind, None, tuple(parts), label)
    for leaf in made.leaves():
        (scope.refs if isinstance(leaf, Ref) else scope.arrays).append(leaf)  # type: ignore[arg-type]
    group = made.group()
    if group is not None:
        scope.groups.append(group)
    if of_refs and d.chance(0.15):
        outer = d.fresh("model")
        d.say(f"{outer} = {{'inner': {name}}}")
        return Tree(outer, "dict", None, (("inner", made.at(f"{outer}['inner']")),))
    return made

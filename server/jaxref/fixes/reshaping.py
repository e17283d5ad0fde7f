"""An entry of the wrong structure, converted to that of its primal."""

from __future__ import annotations

import ast

from jaxref.domain.trees import TreeDef, mismatch
from jaxref.domain.values import Sentinel
from jaxref.fixes.edits import Patch
from jaxref.fixes.given import Given
from jaxref.fixes.primals import Primal, is_path, means_the_same


def converted(patch: Patch, primal: Primal, given: Given, at: ast.stmt) -> str | None:
    """The entry in the structure of its primal; None where that cannot be made of it."""
    wanted, got = primal.treedefs[0], given.treedef
    program = patch.program
    if wanted.kind == "none":
        return "None"
    single = given.entries[0].value if len(given.entries) == 1 and got.kind == "leaf" else None
    if wanted.kind == "leaf":
        return _for_leaf(patch, primal, given, at)
    if isinstance(single, Sentinel) and single.instance and given.text is not None:
        if primal.has_refs and single.kind != "DontWant":
            return None
        if any(leaf.is_ref and (leaf.written or leaf.scanned) for leaf in primal.leaves):
            return None
        if primal.item is not None or not means_the_same(
            program, primal.node, at, program.span(at).start
        ):
            return None
        tree_map = patch.jax("jax.tree.map", at)
        return f"{tree_map}(lambda _: {given.text}, {program.source(primal.node)})"
    if given.text is None or given.node is None:
        return None
    return _container(patch, wanted, got, given.node, given.text)


def _for_leaf(patch: Patch, primal: Primal, given: Given, at: ast.stmt) -> str | None:
    leaf = primal.leaves[0]
    kind = given.treedef.kind
    label = given.treedef.label
    name = label[1] if kind == "custom" and isinstance(label, tuple) else ""
    if name == "DidntWant":
        if leaf.is_ref and (leaf.written or leaf.scanned):
            return None
        return f"{patch.jax('jax.ad.DontWant', at)}()"
    if leaf.is_ref:
        return None
    if kind == "none" or name == "GradRef":
        return f"{patch.jax('jax.ad.GradValue', at)}()"
    return None


def _container(
    patch: Patch, wanted: TreeDef, got: TreeDef, node: ast.expr, text: str
) -> str | None:
    """`tuple(x)` for a list, `Params(**x)` for a dict, a display without the keys that are too many."""
    same_children = len(wanted.children) == len(got.children) and all(
        mismatch(left, right) is None
        for left, right in zip(wanted.children, got.children, strict=True)
    )
    pair = (wanted.kind, got.kind)
    if same_children and pair in (("tuple", "list"), ("list", "tuple")):
        if isinstance(node, (ast.List, ast.Tuple)):
            inside = text[1:-1].rstrip().removesuffix(",")
            one = len(node.elts) == 1
            return f"({inside}{',' if one else ''})" if wanted.kind == "tuple" else f"[{inside}]"
        return f"{wanted.kind}({text})"
    if wanted.kind == "namedtuple" and isinstance(wanted.label, tuple) and len(wanted.label) == 3:
        name = class_name(patch, str(wanted.label[1]), node)
        if name and same_children and got.kind in ("tuple", "list"):
            return f"{name}(*{text})"
        if name and got.kind == "dict" and set(_keys(got)) == set(wanted.label[2]):
            return f"{name}(**{text})"
    if wanted.kind == "custom" and got.kind == "dict" and isinstance(wanted.label, tuple):
        name = class_name(patch, str(wanted.label[1]), node)
        fields = field_names(patch, name) if name else []
        if name and fields and set(_keys(got)) == set(fields):
            return f"{name}(**{text})"
    if wanted.kind == got.kind == "dict" and set(_keys(wanted)) < set(_keys(got)):
        children = dict(zip(_keys(got), got.children, strict=True))
        if all(
            mismatch(child, children[key]) is None
            for key, child in zip(_keys(wanted), wanted.children, strict=True)
        ):
            if is_path(node):
                pairs = ", ".join(f"{key!r}: {text}[{key!r}]" for key in _keys(wanted))
                return "{" + _quoted(patch, pairs) + "}"
    return None


def _quoted(patch: Patch, pairs: str) -> str:
    """String keys in the quotes that the file uses most."""
    content = patch.program.text.content
    return pairs.replace("'", '"') if content.count('"') >= content.count("'") else pairs


def _keys(treedef: TreeDef) -> tuple[object, ...]:
    return treedef.label if isinstance(treedef.label, tuple) else ()


def class_name(patch: Patch, name: str, at: ast.expr) -> str:
    """The class's name where it is visible."""
    binder = patch.program.scope(at).binder(name)
    if binder is None or len(binder.bound[name]) != 1:
        return ""
    return name


def field_names(patch: Patch, name: str) -> list[str]:
    for statement in patch.program.tree.body:
        if isinstance(statement, ast.ClassDef) and statement.name == name:
            return [
                part.target.id
                for part in statement.body
                if isinstance(part, ast.AnnAssign) and isinstance(part.target, ast.Name)
            ]
    return []

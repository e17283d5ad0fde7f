"""The words that rules share: names of arguments, refs and types."""

from __future__ import annotations

import ast

from jaxref.domain.heap import RefObject
from jaxref.domain.values import Array, Const, RefValue, Sentinel, ShapeStruct, Value
from jaxref.facts import Entry, Place, PrimalLeaf, RefAccessed, RefMisused, VjpInfo
from jaxref.jaxmodel.arrays import aval_text


def code(text: str) -> str:
    """`text` as code."""
    return f"`{text}`"


def ref_type(ref: RefValue) -> str | None:
    """A ref's type as JAX prints it; None when neither shape nor dtype is known."""
    if ref.shape is None and ref.dtype is None:
        return None
    return aval_text(Array(ref.shape, ref.dtype), ref=True)


def ref_name(found: RefObject, ref: RefValue | None = None) -> str:
    """What the user calls a ref, in backticks, with its type where known."""
    name = code(found.name) if found.name else "a ref"
    kind = ref_type(ref) if ref is not None else None
    return f"{name}, a {kind}," if kind else name


def ref_words(found: RefObject, ref: RefValue) -> str:
    """`name` (`Ref{float32[3]}`), or "this ref"."""
    kind = ref_type(ref)
    name = code(found.name) if found.name else "this ref"
    return f"{name} ({code(kind)})" if kind else name


def leaf_words(leaf: PrimalLeaf, info: VjpInfo | None, function: str) -> str:
    """`state_ref` (args[1] of `loss`)."""
    where = f"{leaf.path} of {code(function)}"
    return f"{code(leaf.text)} ({where})" if leaf.text else where


def leaf_type(leaf: PrimalLeaf) -> str | None:
    """The type of a primal leaf as JAX prints it."""
    if leaf.refs:
        return ref_type(leaf.refs[0][0])
    return value_type(leaf.value)


def value_type(value: Value) -> str | None:
    """The type of an array, number or ref as JAX prints it, in a few words otherwise."""
    if isinstance(value, RefValue):
        return ref_type(value) or "Ref"
    if isinstance(value, Sentinel):
        return f"{value.kind}()" if value.instance else f"the class {value.kind}"
    if isinstance(value, ShapeStruct):
        return "ShapeDtypeStruct"
    if isinstance(value, Array):
        return (
            aval_text(value) if value.shape is not None or value.dtype is not None else "an array"
        )
    if isinstance(value, Const):
        return repr(value.value) if len(repr(value.value)) < 30 else type(value.value).__name__
    return None


def entry_words(entry: Entry) -> str:
    """The user's words for an entry."""
    return code(entry.text) if entry.text else entry.path


def made_here(found: RefObject) -> tuple[Place, str] | None:
    """The related place where a ref was made."""
    if found.span is None:
        return None
    words = (
        "the ref is made here"
        if found.how in ("new_ref", "empty_ref")
        else "it is declared a ref here"
    )
    return Place(found.path, found.span), words


def vjp_made_here(info: VjpInfo) -> tuple[Place, str]:
    """The related place of the `jax.vjp` call."""
    return info.site.place, f"the VJP of {code(info.function)} is made here"


def misused_at(fact: RefMisused) -> str:
    """`name` (`type`) of a misused ref, in the words of the place where it is misused."""
    node = fact.expression
    if fact.how == "method" and isinstance(node, ast.Attribute):
        node = node.value
    return _words_at(node, fact.object, fact.ref)


def accessed_at(fact: RefAccessed) -> str:
    """`name` (`type`) of an accessed ref, in the words of the place of the access."""
    node = fact.site.node
    return _words_at(node.value if isinstance(node, ast.Subscript) else None, fact.object, fact.ref)


def simple_words(node: ast.AST | None) -> str | None:
    """A plain name, or names joined by dots, as they are written."""
    if isinstance(node, ast.Name):
        return node.id
    if isinstance(node, ast.Attribute):
        owner = simple_words(node.value)
        return f"{owner}.{node.attr}" if owner else None
    return None


def _words_at(node: ast.AST | None, found: RefObject, ref: RefValue) -> str:
    words = simple_words(node) or found.name
    kind = ref_type(ref)
    name = code(words) if words else "this ref"
    return f"{name} ({code(kind)})" if kind else name


def some(*places: tuple[Place, str] | None) -> tuple[tuple[Place, str], ...]:
    """The related places that are there."""
    return tuple(place for place in places if place is not None)

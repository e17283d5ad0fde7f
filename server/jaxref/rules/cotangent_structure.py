"""A VJP is applied to a cotangent that does not fit the function's output."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.trees import mismatch
from jaxref.domain.values import Array, Const, ShapeStruct, Value
from jaxref.facts import VjpApplied
from jaxref.jaxmodel.arrays import as_array, aval_text
from jaxref.rules.gradient_ref_type import shapes_differ
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """A wrong number of arguments, a tree or a type that certainly differs."""
    if fact.binding is None and any(leaf.is_ref for leaf in fact.vjp.leaves):
        return
    message = _splat(fact) or _tree(fact) or _types(fact)
    if message is not None:
        yield Finding(fact.site.place, message, fact, some(vjp_made_here(fact.vjp)))


def _splat(fact: VjpApplied) -> str | None:
    if fact.arguments <= 1 or fact.cotangent is not None:
        return None
    return (
        f"the VJP of {code(fact.vjp.function)} takes one argument, the cotangent with the structure of the output,"
        f" but {fact.arguments} are given: put them into one tuple"
    )


def _tree(fact: VjpApplied) -> str | None:
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or mismatch(out.treedef, given.treedef) is None:
        return None
    return (
        f"the cotangent must have the structure of the output of {code(fact.vjp.function)}, which is"
        f" {code(out.treedef.text())}, but it is {code(given.treedef.text())}"
    )


def _types(fact: VjpApplied) -> str | None:
    out, given = fact.vjp.out, fact.cotangent
    if out is None or given is None or out.treedef != given.treedef or not out.treedef.known():
        return None
    for leaf, cotangent in zip(out.leaves, given.leaves, strict=True):
        wanted, got = _aval(leaf.value), _aval(cotangent.value)
        if wanted is None or got is None or wanted.dtype is None:
            continue
        if not wanted.dtype.startswith(("float", "bfloat", "complex")):
            continue
        narrow = {"float64": "float32", "complex128": "complex64", "int64": "int32"}
        got_dtype = narrow.get(got.dtype or "", got.dtype) if got.origin != "jax" else got.dtype
        wrong_dtype = got_dtype is not None and got_dtype != wanted.dtype
        if shapes_differ(wanted.shape, got.shape) or wrong_dtype:
            where = f" at {leaf.path}" if leaf.path else ""
            return (
                f"the output of {code(fact.vjp.function)} is a {code(aval_text(wanted) or '?')}{where}, but the"
                f" cotangent is a {code(aval_text(got) or '?')}: shape and dtype must be the same"
            )
    return None


def _aval(value: Value) -> Array | None:
    if isinstance(value, Const) and isinstance(value.value, (bool, int, float, complex)):
        return as_array(value)
    if isinstance(value, ShapeStruct):
        return None
    return value if isinstance(value, Array) else None


RULE = Rule(
    "cotangent-structure",
    "error",
    "the cotangent does not have the structure, shape or dtype of the output",
    (VjpApplied,),
    ("ValueError", "TypeError"),
    check,
)

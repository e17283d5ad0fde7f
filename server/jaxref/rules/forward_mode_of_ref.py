"""Forward mode with respect to a ref whose tangent is no ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.domain.values import Array, Const, Value
from jaxref.facts import DerivativeTaken
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, leaf_words, made_here, some


def check(fact: DerivativeTaken) -> Iterator[Finding]:
    """`jax.jvp`, `jax.linearize` and `jax.jacfwd` of a ref with an array for its tangent."""
    if fact.transform not in ("jvp", "linearize", "jacfwd"):
        return
    for leaf in fact.leaves:
        if not leaf.is_ref:
            continue
        if fact.transform != "jacfwd":
            tangent = fact.tangents[leaf.position] if leaf.position < len(fact.tangents) else None
            if not _is_array(tangent):
                continue
        place = fact.site.place
        if fact.used is not None and fact.used.path == place.path and fact.transform != "linearize":
            # JAX notices where the function reads the ref.
            place = fact.used
        elif fact.transform != "linearize":
            return
        yield Finding(
            place,
            f"{leaf_words(leaf, None, fact.function)} is a ref, and {code('jax.' + fact.transform)} takes an array for"
            " its tangent: give a ref of tangents, or differentiate with respect to the value read from it",
            fact,
            some(
                (fact.site.place, f"{code(fact.function)} is differentiated here")
                if place != fact.site.place
                else None,
                made_here(leaf.refs[0][1]),
            ),
            certain=leaf.certain,
        )
        return


def _is_array(value: Value | None) -> bool:
    return isinstance(value, Array) or (
        isinstance(value, Const) and isinstance(value.value, (int, float))
    )


RULE = Rule(
    "forward-mode-of-ref",
    "error",
    "forward mode is given an array as the tangent of a ref",
    (DerivativeTaken,),
    ("ValueError", "TypeError"),
    check,
)

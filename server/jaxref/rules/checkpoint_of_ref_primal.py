"""A VJP with respect to a ref that goes through `jax.checkpoint`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import leaf_words, made_here, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """Any application: JAX 0.12 cannot transpose the rematerialised function."""
    if not fact.vjp.checkpointed or fact.binding is None:
        return
    leaf = next((leaf for leaf in fact.vjp.leaves if leaf.is_ref), None)
    if leaf is None:
        return
    yield Finding(
        fact.site.place,
        f"{leaf_words(leaf, fact.vjp, fact.vjp.function)} is an argument of a function under `jax.checkpoint`, and"
        " JAX cannot differentiate that with respect to a ref: pass the value read, or leave out the checkpoint",
        fact,
        some(vjp_made_here(fact.vjp), made_here(leaf.refs[0][1])),
        certain=leaf.certain,
    )


RULE = Rule(
    "checkpoint-of-ref-primal",
    "error",
    "a checkpointed function is differentiated with respect to a ref",
    (VjpApplied,),
    ("ValueError",),
    check,
)

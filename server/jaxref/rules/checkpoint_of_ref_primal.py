"""A derivative that goes through a ref in a function under `jax.checkpoint`."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import Place, Rematerialised, RematerialisedDerivative, VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, leaf_words, made_here, ref_words, some, vjp_made_here


def check(fact: VjpApplied | RematerialisedDerivative) -> Iterator[Finding]:
    """Any application, any `jax.grad`: JAX 0.12 cannot transpose the rematerialised function."""
    if isinstance(fact, RematerialisedDerivative):
        use = fact.uses[0]
        yield Finding(
            fact.site.place,
            _words(use, "jax." + fact.transform),
            fact,
            some(*_places(use), made_here(use.object)),
        )
        return
    leaf = next((leaf for leaf in fact.vjp.leaves if leaf.is_ref), None)
    if not fact.vjp.checkpointed or (fact.binding is None and leaf is not None):
        return
    if fact.vjp.rematerialised:
        use = fact.vjp.rematerialised[0]
        yield Finding(
            fact.site.place,
            _words(use, "a VJP"),
            fact,
            some(*_places(use), vjp_made_here(fact.vjp), made_here(use.object)),
        )
    elif leaf is not None:
        yield Finding(
            fact.site.place,
            f"{leaf_words(leaf, fact.vjp, fact.vjp.function)} is an argument of a function under `jax.checkpoint`, and"
            " JAX cannot differentiate that with respect to a ref: pass the value read, or leave out the checkpoint",
            fact,
            some(vjp_made_here(fact.vjp), made_here(leaf.refs[0][1])),
            certain=leaf.certain,
        )


def _words(use: Rematerialised, transform: str) -> str:
    return (
        f"{ref_words(use.object, use.ref)} is differentiated and used in a function under `jax.checkpoint`, which"
        f" {code(transform) if transform.startswith('jax') else transform} cannot go through: pass the value read, or"
        " leave out the checkpoint"
    )


def _places(use: Rematerialised) -> list[tuple[Place, str]]:
    return [
        (use.place, "it is used here"),
        *((place, "which is traced here") for place in use.around),
    ]


RULE = Rule(
    "checkpoint-of-ref-primal",
    "error",
    "a checkpointed function is differentiated with respect to a ref",
    (VjpApplied, RematerialisedDerivative),
    ("ValueError", "AttributeError"),
    check,
)

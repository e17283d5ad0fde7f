"""`jax.grad` and its relatives with respect to a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import DerivativeTaken
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, leaf_words, made_here, some

TRANSFORMS = frozenset({"grad", "value_and_grad", "jacrev", "jacobian", "hessian"})


def check(fact: DerivativeTaken) -> Iterator[Finding]:
    """The first Ref-typed argument that is differentiated."""
    if fact.transform not in TRANSFORMS:
        return
    for leaf in fact.leaves:
        if leaf.is_ref:
            # Binding a gradient ref for a Ref-typed primal works from JAX 0.11 on.
            binding = "" if fact.site.before(0, 11) else "use `jax.vjp` and `with_refs`, or "
            yield Finding(
                fact.site.place,
                f"{code('jax.' + fact.transform)} cannot differentiate with respect to a ref, and"
                f" {leaf_words(leaf, None, fact.function)} is one: {binding}differentiate with"
                " respect to the value read from it",
                fact,
                some(made_here(leaf.refs[0][1])),
                certain=leaf.certain,
            )
            return


RULE = Rule(
    "grad-of-ref",
    "error",
    "`jax.grad` is asked for the gradient with respect to a ref",
    (DerivativeTaken,),
    ("TypeError", "ValueError"),
    check,
)

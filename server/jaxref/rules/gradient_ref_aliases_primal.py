"""The gradient ref is the parameter itself."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefsBound
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, entry_words, leaf_words, made_here, some, vjp_made_here


def check(fact: RefsBound) -> Iterator[Finding]:
    """An entry that is the same ref as a primal."""
    if fact.earlier is not None:
        return
    primals = {
        ref.id: leaf for leaf in fact.vjp.leaves if len(leaf.refs) == 1 for ref, _ in leaf.refs
    }
    for entry in fact.binding.entries:
        if len(entry.refs) != 1:
            continue
        leaf = primals.get(entry.refs[0][0].id)
        if leaf is not None and leaf.certain and not entry.refs[0][1].many:
            yield Finding(
                fact.site.place,
                f"{entry_words(entry)} is the primal {leaf_words(leaf, fact.vjp, fact.vjp.function)} itself: the gradient"
                f" would be added to the parameter, so bind a ref of its own, {code('jax.new_ref(jnp.zeros_like(...))')}",
                fact,
                some(vjp_made_here(fact.vjp), made_here(entry.refs[0][1])),
            )
            return


RULE = Rule(
    "gradient-ref-aliases-primal",
    "warning",
    "the gradient of a ref is accumulated into that ref itself",
    (RefsBound,),
    check=check,
)

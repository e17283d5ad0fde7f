"""The result of `with_refs` is thrown away."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import BindingUnused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: BindingUnused) -> Iterator[Finding]:
    """A binding that nobody can apply."""
    if fact.site.caught:
        # Code that tries whether JAX accepts a binding.
        return
    yield Finding(
        fact.site.place,
        f"`with_refs` only binds refs: this VJP of {code(fact.vjp.function)} is never applied, so no gradient is"
        " computed: apply the result to a cotangent",
        fact,
        some(vjp_made_here(fact.vjp)),
    )


RULE = Rule(
    "unapplied-with-refs",
    "warning",
    "the result of `with_refs` is never applied",
    (BindingUnused,),
    check=check,
)

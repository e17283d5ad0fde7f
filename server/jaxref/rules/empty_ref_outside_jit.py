"""`jax.empty_ref` outside of jitted code."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMade
from jaxref.rules.model import Finding, Rule


def check(fact: RefMade) -> Iterator[Finding]:
    """An eager `jax.empty_ref`, in code that is certain to run eagerly."""
    if fact.how != "empty_ref" or any(trace.staged for trace in fact.site.traces):
        return
    if not fact.site.entered_from_module:
        return
    yield Finding(
        fact.site.place,
        "`jax.empty_ref` works only inside of jitted code: make the ref with `jax.new_ref(jnp.zeros(...))` here",
        fact,
    )


RULE = Rule(
    "empty-ref-outside-jit",
    "error",
    "`jax.empty_ref` is called outside of jitted code",
    (RefMade,),
    ("NotImplementedError",),
    check,
)

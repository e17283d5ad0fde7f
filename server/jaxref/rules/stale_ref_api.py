"""A name of the refs API that the JAX in use does not have."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import NameUsed
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code

INSTEAD = {
    "jax.array_ref": "jax.new_ref",
    "jax.mutable_array": "jax.new_ref",
    "jax.experimental.mutable_array": "jax.new_ref",
    "jax.ArrayRef": "jax.Ref",
    "jax.experimental.MutableArray": "jax.Ref",
}


def check(fact: NameUsed) -> Iterator[Finding]:
    """Names that were renamed, and names that came later."""
    current = INSTEAD.get(fact.name)
    if current is not None:
        message = f"{code(fact.name)} is gone from JAX: its name is {code(current)} now"
    else:
        message = f"{code(fact.name)} is not in the JAX of this environment: it came with JAX 0.10"
    yield Finding(fact.site.place, message, fact)


RULE = Rule(
    "stale-ref-api",
    "error",
    "a name of the refs API that the JAX in use does not have",
    (NameUsed,),
    ("AttributeError", "ImportError", "ModuleNotFoundError"),
    check,
    tags=("deprecated",),
)

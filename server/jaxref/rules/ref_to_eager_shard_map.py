"""A ref is passed to shard_map outside of jit."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, simple_words, some


def check(fact: RefMisused) -> Iterator[Finding]:
    """Refs as arguments of an eager shard_map."""
    if fact.how != "shard_map":
        return
    read = code(f"{simple_words(fact.expression) or fact.object.name or 'ref'}[...]")
    yield Finding(
        fact.site.place,
        f"`jax.shard_map` takes {misused_at(fact)} only under `jax.jit`: jit the mapped function, or pass {read}",
        fact,
        some(made_here(fact.object)),
    )


RULE = Rule(
    "ref-to-eager-shard-map",
    "error",
    "a ref is passed to `jax.shard_map` outside of `jax.jit`",
    (RefMisused,),
    ("NotImplementedError",),
    check,
)

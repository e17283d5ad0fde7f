"""An update method on a view of a ref."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefMisused
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, misused_at, simple_words, some


def check(fact: RefMisused) -> Iterator[Finding]:
    """Update methods that arrays have and refs do not."""
    if fact.how != "at":
        return
    read = code(f"{simple_words(fact.expression) or fact.object.name or 'ref'}[...]")
    yield Finding(
        fact.site.place,
        f"a view of a ref has no `.{fact.what}`: only `get` and `set` exist, so write to {read} or use `jax.ref.addupdate` for {misused_at(fact)}",
        fact,
        some(made_here(fact.object)),
    )


RULE = Rule(
    "ref-at-method",
    "error",
    "an update method of arrays is called on `ref.at[...]`",
    (RefMisused,),
    ("AttributeError",),
    check,
)

"""A second name for a ref is taken for a copy."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefCopied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, made_here, ref_words, some


def check(fact: RefCopied) -> Iterator[Finding]:
    """The ref is written under its first name, and then read under both."""
    if fact.read_after_write is None:
        return
    name = code(fact.name) if fact.name else "this"
    how = "`copy.copy` gives" if fact.how == "copy.copy" else "this is"
    yield Finding(
        fact.site.place,
        f"{how} a second name of {ref_words(fact.object, fact.ref)} and no copy: {name} changes with it, so make a ref"
        f" of its own, {code('jax.new_ref(' + (fact.object.name or 'ref') + '[...])')}",
        fact,
        some(
            (fact.read_after_write, "it is read here after the ref was written"),
            made_here(fact.object),
        ),
    )


RULE = Rule(
    "ref-alias-copy",
    "warning",
    "a second name for a ref is taken for a copy",
    (RefCopied,),
    check=check,
)

"""A VJP whose residuals were not saved is applied before they are put back."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import VjpApplied
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: VjpApplied) -> Iterator[Finding]:
    """`saveable_args` left a primal out and no `replace(args_res=...)` came before the call."""
    if not fact.vjp.unsaved or (fact.binding is None and any(leaf.is_ref for leaf in fact.vjp.leaves)):
        return
    position = fact.vjp.unsaved[0]
    words = fact.vjp.arg_texts[position] if position < len(fact.vjp.arg_texts) else ""
    name = f"{code(words)} (args[{position}])" if words else f"args[{position}]"
    yield Finding(
        fact.site.place,
        f"`saveable_args` kept {name} out of the residuals of this VJP of {code(fact.vjp.function)}: put it back with"
        " `replace(args_res=...)` before applying it",
        fact,
        some(vjp_made_here(fact.vjp)),
    )


RULE = Rule(
    "unrestored-residuals",
    "error",
    "a VJP is applied before the residuals that were not saved are put back",
    (VjpApplied,),
    ("ValueError", "TypeError", "AttributeError"),
    check,
)

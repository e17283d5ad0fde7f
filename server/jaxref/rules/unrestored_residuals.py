"""A VJP whose residuals were not saved is applied before they are put back."""

from __future__ import annotations

from collections.abc import Iterator

from jaxref.facts import RefsBound, VjpApplied
from jaxref.rules.entries import structure_problem
from jaxref.rules.model import Finding, Rule
from jaxref.rules.wording import code, some, vjp_made_here


def check(fact: VjpApplied | RefsBound) -> Iterator[Finding]:
    """`saveable_args` left a primal out and no `replace(args_res=...)` came before the call."""
    if not fact.vjp.unsaved:
        return
    if isinstance(fact, VjpApplied) and (
        fact.binding is not None or any(leaf.is_ref for leaf in fact.vjp.leaves)
    ):
        return
    if isinstance(fact, RefsBound) and (
        fact.earlier is not None or structure_problem(fact) is not None
    ):
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
    (VjpApplied, RefsBound),
    ("ValueError", "TypeError", "AttributeError"),
    check,
)

"""Completion inside `with_refs(...)`: the entries that fit the primal at the cursor."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from jaxref.facts import RefMade
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_position
from jaxref.lsp.signatures import Around
from jaxref.lsp.vjps import Primal, primals
from jaxref.rules.wording import ref_type
from jaxref.source.parsing import parse
from jaxref.source.text import Span, Text

TRIGGERS = ("(",)

_TARGET = re.compile(r"(?m)^[ \t]*(?P<name>[^\W\d]\w*)[ \t]*=[ \t]*\Z")
_JAX = re.compile(r"(?m)^[ \t]*import[ \t]+jax(?:[ \t]+as[ \t]+(?P<alias>\w+))?[ \t]*(?:#.*|,.*)?$")


def entry_items(
    around: Around, features: Features, part_text: Text, inside: int
) -> list[types.CompletionItem] | None:
    """The items at `inside` of the part; None where none is offered.

    That is in calls that are no `with_refs`, and behind the last primal.
    """
    vjp = around.call.vjp
    known = primals(vjp)
    active = around.active
    if not around.call.binds or active >= len(known):
        return None
    begun = re.search(r"[\w.]*$", part_text.content[:inside])
    start = inside - (len(begun.group()) if begun is not None else 0)
    where = types.Range(
        to_position(part_text, start, features.encoding),
        to_position(part_text, inside, features.encoding),
    )
    jax = _jax_name(part_text.content) or _jax_name(around.text.content) or "jax"
    given = [around.text.slice(one) for one in around.call.arguments or ()]
    refs = [ref for ref in _refs_in_scope(around) if ref[0] not in (*vjp.arg_texts, *given)]
    items = list(_entries(known[active], refs, jax))
    if active == 0 and not given and (whole := _all_entries(known, refs, jax)) is not None:
        items.append((whole, "an entry for each primal"))
    return [
        types.CompletionItem(
            label=words,
            kind=types.CompletionItemKind.Value,
            detail=detail,
            sort_text=f"{number:03}",
            preselect=True if number == 0 else None,
            text_edit=types.TextEdit(where, words),
            filter_text=words,
        )
        for number, (words, detail) in enumerate(items)
    ]


def _entries(
    primal: Primal, refs: Sequence[tuple[str, str | None]], jax: str
) -> Iterator[tuple[str, str]]:
    """What can be written for a primal, the likeliest first, and why."""
    receiving = [
        (name, f"receives the gradient of {primal.name} ({kind})")
        for name, kind in refs
        if primal.kind is not None and kind in (primal.kind, f"Ref{{{primal.kind}}}")
    ]
    single = len(primal.leaves) == 1
    if primal.refs:
        yield from receiving
    elif single:
        yield f"{jax}.ad.GradValue()", f"returns the gradient of {primal.name}"
    else:
        each = f"{jax}.tree.map(lambda _: {jax}.ad.GradValue(), {primal.name})"
        yield each, f"returns the gradients of {primal.name}"
    if single and not any(leaf.written for leaf in primal.refs):
        yield f"{jax}.ad.DontWant()", f"leaves out the gradient of {primal.name}"
    if not primal.refs:
        yield from receiving


def _all_entries(
    known: Sequence[Primal], refs: Sequence[tuple[str, str | None]], jax: str
) -> str | None:
    """The whole list of arguments; None where a ref among the primals has no ref for its gradient."""
    left = list(refs)
    written = []
    for primal in known:
        first = next(_entries(primal, left, jax), None)
        if first is None or (primal.refs and first[0] not in [name for name, _ in left]):
            return None
        written.append(first[0])
        left = [ref for ref in left if ref[0] != first[0]]
    return ", ".join(written) if len(written) > 1 else None


def _refs_in_scope(around: Around) -> Iterator[tuple[str, str | None]]:
    """The names that refs are bound to before the call, in its function or the module; latest first."""
    text = around.text
    functions = [
        Span(
            text.line_starts[node.lineno - 1],
            text.line_span((node.end_lineno or node.lineno) - 1).end,
        )
        for node in ast.walk(parse(text.content).tree)
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef))
    ]

    def function_of(offset: int) -> Span | None:
        holding = [span for span in functions if span.contains(offset)]
        return max(holding, key=lambda span: span.start, default=None)

    own = function_of(around.offset)
    seen: set[str] = set()
    made = [
        fact
        for fact in around.facts
        if isinstance(fact, RefMade)
        and fact.site.place.path == around.path
        and fact.site.place.span.end < around.offset
        and function_of(fact.site.place.span.start) in (own, None)
    ]
    for fact in sorted(made, key=lambda one: one.site.place.span, reverse=True):
        target = _TARGET.search(text.content[: fact.site.place.span.start])
        if target is not None and target["name"] not in seen:
            seen.add(target["name"])
            yield target["name"], ref_type(fact.ref)


def _jax_name(text: str) -> str | None:
    found = _JAX.search(text)
    return None if found is None else found["alias"] or "jax"

"""Inlay hints: short words between the user's own."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from lsprotocol import types

from jaxref.engine import Analysis
from jaxref.facts import Fact, RefMade
from jaxref.lsp.documents import Module
from jaxref.lsp.features import Features
from jaxref.lsp.positions import to_position, to_range, to_span
from jaxref.lsp.vjps import primals, vjp_calls, vjps_made
from jaxref.quick_dataclasses import dataclass
from jaxref.rules.wording import ref_type
from jaxref.source.text import Span, Text

_LONGEST = 28
"""Characters of the user's own expression that a hint repeats."""
_LONGEST_TYPE = 60

_TARGET = re.compile(r"^\s*(?P<name>[^\W\d][\w.]*)\s*=\s*$")
_SECOND_TARGET = re.compile(
    r"^\s*\(?[^=,()]+,\s*(?P<name>[^\W\d][\w.]*)\s*(?:,\s*[^\W\d][\w.]*\s*)?\)?\s*=\s*$"
)
"""What the VJP is bound to: `value, f_vjp` or `value, f_vjp, aux`."""


@dataclass(frozen=True, slots=True)
class Kinds:
    """Which hints are wanted."""

    entry_names: bool = True
    """Before each entry of `with_refs`, the primal whose gradient it receives."""
    vjp_state: bool = True
    """Behind the call that makes a VJP, the primals that need a gradient ref."""
    types: bool = False
    """Behind a name that a ref or a VJP is bound to, its type."""


@dataclass(frozen=True, slots=True)
class Hint:
    """One hint at an offset of the module. `origin` is a place in this file that it leads to."""

    offset: int
    words: str
    tooltip: str
    before: bool
    origin: Span | None = None


def found_hints(analysis: Analysis, kinds: Kinds, within: Span) -> list[Hint]:
    """The hints of a module on the lines of `within`, and perhaps others, by place."""
    path, text = analysis.snapshot.path, Text(analysis.snapshot.text)
    facts = analysis.facts(within)
    found: dict[tuple[int, bool], Hint] = {}
    if kinds.entry_names:
        _add(found, _entry_names(facts, path, text))
    if kinds.vjp_state:
        _add(found, _vjp_states(facts, path))
    if kinds.types:
        _add(found, _types(facts, path, text))
    return sorted(found.values(), key=lambda hint: hint.offset)


def inlay_hints(
    module: Module,
    analysis: Analysis,
    kinds: Kinds,
    features: Features,
    uri: str,
    wanted: types.Range,
) -> list[types.InlayHint] | None:
    """The hints that lie in the document `uri`, in the stretch `wanted` of it; None if that is gone."""
    own = module.part(uri)
    if own is None:
        return None
    within = to_span(own.text, wanted, features.encoding)
    inside = Span(own.start + within.start, own.start + within.end)
    if module.document is not None:
        # Its code stands elsewhere in the file.
        inside = Span(0, len(module.snapshot.text))
    made = []
    for hint in found_hints(analysis, kinds, inside):
        placed = module.place(Span(hint.offset, hint.offset))
        if placed is None or placed[0].uri != uri:
            continue
        part, span = placed
        if not within.start <= span.start <= within.end:
            continue
        label = types.InlayHintLabelPart(hint.words)
        origin = module.place(hint.origin) if hint.origin is not None else None
        if origin is not None:
            label.location = types.Location(
                origin[0].uri, to_range(origin[0].text, origin[1], features.encoding)
            )
        made.append(
            types.InlayHint(
                to_position(part.text, span.start, features.encoding),
                [label],
                kind=types.InlayHintKind.Parameter if hint.before else types.InlayHintKind.Type,
                padding_left=not hint.before,
                padding_right=hint.before,
                tooltip=None if features.hint_tooltip_resolve else hint.tooltip,
                data={"tooltip": hint.tooltip} if features.hint_tooltip_resolve else None,
            )
        )
    return made


def _add(found: dict[tuple[int, bool], Hint], hints: Iterator[Hint]) -> None:
    for hint in hints:
        found.setdefault((hint.offset, hint.before), hint)


def _entry_names(facts: Sequence[Fact], path: str, text: Text) -> Iterator[Hint]:
    for call in vjp_calls(facts, path, text):
        if not call.binds or call.arguments is None:
            continue
        for primal, argument in zip(primals(call.vjp), call.arguments, strict=False):
            if primal.name == text.slice(argument) or len(primal.name) > _LONGEST:
                continue
            kind = f", {primal.kind}" if primal.kind else ""
            words = f"where the gradient of {primal.name}{kind} goes"
            yield Hint(argument.start, f"{primal.name}:", words, before=True)


def _vjp_states(facts: Sequence[Fact], path: str) -> Iterator[Hint]:
    for vjp in vjps_made(facts, path):
        needing = [primal for primal in primals(vjp) if primal.refs]
        if not needing:
            continue
        names = ", ".join(primal.name for primal in needing)
        if len(names) > _LONGEST:
            names = f"{len(needing)} primals"
        ref = needing[0].refs[0].refs[0][1]
        yield Hint(
            vjp.site.place.span.end,
            f"needs gradient refs for {names}",
            "bind them with `with_refs(...)` before the VJP is applied",
            before=False,
            origin=ref.span if ref.path == path and isinstance(ref.span, Span) else None,
        )


def _types(facts: Sequence[Fact], path: str, text: Text) -> Iterator[Hint]:
    for fact in facts:
        if not isinstance(fact, RefMade) or fact.site.place.path != path:
            continue
        kind = ref_type(fact.ref)
        start = fact.site.place.span.start
        line = text.line_span(text.line_index(start))
        target = _TARGET.match(text.content[line.start : start])
        if kind is not None and target is not None:
            at = line.start + target.end("name")
            yield Hint(at, f": {kind}", "the type as JAX prints it", before=False)

    for vjp in vjps_made(facts, path):
        kinds = [primal.kind or "?" for primal in primals(vjp)]
        start = vjp.site.place.span.start
        line = text.line_span(text.line_index(start))
        target = _SECOND_TARGET.match(text.content[line.start : start])
        if target is not None:
            words = f"VJP({', '.join(kinds)})"
            if len(words) > _LONGEST_TYPE:
                words = f"VJP({len(kinds)} arguments)"
            named = ", ".join(f"{primal.name}: {primal.kind or '?'}" for primal in primals(vjp))
            at = line.start + target.end("name")
            yield Hint(at, f": {words}", f"the VJP of {vjp.function}({named})", before=False)


def resolved(hint: types.InlayHint) -> types.InlayHint:
    """The hint with its tooltip."""
    if isinstance(hint.data, dict) and isinstance(hint.data.get("tooltip"), str):
        hint.tooltip = hint.data["tooltip"]
    return hint

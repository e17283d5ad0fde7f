"""What an analysis tells beside its diagnostics, at places of a text, and how it is told of from everything."""

from __future__ import annotations

import random
import re
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from unittest.mock import patch

from jaxref.engine import Analysis
from jaxref.interp.parts import Parts
from jaxref.lsp.hints import Kinds, found_hints
from jaxref.source.text import Span

_NAME = re.compile(r"[^\W\d]\w*")
_KINDS = Kinds(entry_names=True, vjp_state=True, types=True)


def places_in(text: str, dice: random.Random, count: int) -> list[Span]:
    """Some stretches of a text, of which each starts in a name and ends at most a few lines below."""
    names = list(_NAME.finditer(text)) or [re.match("", text)]
    found = []
    for name in dice.choices(names, k=count):
        assert name is not None
        end = name.start()
        for _ in range(dice.choice([0, 0, 3, 20])):
            end = text.find("\n", end + 1) if text.find("\n", end + 1) >= 0 else end
        found.append(Span(name.start(), end))
    return found


def told(analysis: Analysis, places: Sequence[Span]) -> list[object]:
    """What is told at each place: by a hover, by hints on its lines, and by the fixes of what is found."""
    text = analysis.snapshot.text
    found: list[object] = []
    for place in places:
        first, last = text.rfind("\n", 0, place.start) + 1, text.find("\n", place.end)
        lines = Span(first, last if last >= 0 else len(text))
        described = analysis.describe(place.start)
        hints = [
            hint
            for hint in found_hints(analysis, _KINDS, place)
            if lines.start <= hint.offset <= lines.end
        ]
        near = [one for one in analysis.diagnostics if lines.contains(one.span.start)]
        found.append((place, described, hints, analysis.fixed(near)))
    return found


@contextmanager
def from_everything() -> Iterator[None]:
    """Within it, analyses look at all their parts for each thing that they tell."""
    names = ("within", "about", "with_ref", "tracing", "akin")
    everything = {name: lambda parts, *about: parts.all() for name in names}
    with patch.multiple(Parts, _near=lambda parts, span: parts.all(), **everything):
        yield

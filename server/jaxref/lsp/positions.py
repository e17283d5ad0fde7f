"""The one place where the protocol's positions become offsets, and offsets positions.

Inside jaxref a place is a code-point offset; on the wire it is a 0-based line and a 0-based column
counted in the units agreed on at `initialize` (UTF-8 bytes, UTF-16 units or code points).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

from lsprotocol import types

from jaxref.source.text import Span, Text

Encoding = Literal["utf-8", "utf-16", "utf-32"]

_SUPPORTED: dict[str, Encoding] = {"utf-8": "utf-8", "utf-16": "utf-16", "utf-32": "utf-32"}


def chosen_encoding(offered: Sequence[types.PositionEncodingKind | str] | None) -> Encoding:
    """The first of the client's encodings that jaxref knows; UTF-16 when it offers none of them."""
    for kind in offered or ():
        name = kind.value if isinstance(kind, types.PositionEncodingKind) else kind
        if name in _SUPPORTED:
            return _SUPPORTED[name]
    return "utf-16"


def units(chars: str, encoding: Encoding) -> int:
    """How many units of `encoding` the characters take."""
    if encoding == "utf-32" or chars.isascii():
        return len(chars)
    if encoding == "utf-16":
        return len(chars.encode("utf-16-le", "surrogatepass")) // 2
    return len(chars.encode("utf-8", "surrogatepass"))


def to_offset(text: Text, position: types.Position, encoding: Encoding) -> int:
    """The offset of a position of the client, clamped to the text and to its line's body.

    A column inside a character means that character's start.
    """
    if position.line < 0:
        return 0
    if position.line >= text.line_count():
        return len(text.content)
    span = text.line_span(position.line)
    wanted = max(0, position.character)
    line = text.slice(span)
    if encoding == "utf-32" or line.isascii():
        return min(span.start + wanted, span.end)
    if encoding == "utf-8":
        encoded = line.encode("utf-8", "surrogatepass")
        cut = min(wanted, len(encoded))
        while cut < len(encoded) and encoded[cut] & 0xC0 == 0x80:
            cut -= 1
        return span.start + len(encoded[:cut].decode("utf-8", "surrogatepass"))
    pairs = line.encode("utf-16-le", "surrogatepass")[: 2 * wanted]
    before = pairs.decode("utf-16-le", "surrogatepass")
    size = len(before)
    if size and before[-1] != line[size - 1]:
        # The first half of a pair: the column is inside a character.
        size -= 1
    return span.start + size


def to_position(text: Text, offset: int, encoding: Encoding) -> types.Position:
    """The client's position of an offset, clamped to the text and to its line's body."""
    line = text.line_index(offset)
    body = text.line_span(line)
    return types.Position(line, units(text.content[body.start : min(offset, body.end)], encoding))


def to_span(text: Text, wanted: types.Range, encoding: Encoding) -> Span:
    """The span of a range of the client; a range given backwards is turned round."""
    start = to_offset(text, wanted.start, encoding)
    end = to_offset(text, wanted.end, encoding)
    return Span(min(start, end), max(start, end))


def to_range(text: Text, span: Span, encoding: Encoding) -> types.Range:
    """The client's range of a span."""
    return types.Range(
        to_position(text, span.start, encoding), to_position(text, span.end, encoding)
    )

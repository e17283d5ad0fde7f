"""What terminals can show: styles, the width of characters, control characters made harmless."""

from __future__ import annotations

from jaxref.quick_dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Style:
    """Paints text; with `colour` False everything stays plain. `links` where they can be followed, `wrap`
    where long lines are read on a screen and not by programs."""

    colour: bool = False
    links: bool = False
    wrap: bool = False

    def paint(self, text: str, *codes: str) -> str:
        """`text` in the given styles, those of `_CODES`."""
        if not self.colour or not text:
            return text
        return f"\x1b[{';'.join(_CODES[code] for code in codes)}m{text}\x1b[0m"

    def link(self, text: str, url: str) -> str:
        """`text` leading to `url`, in terminals that know links."""
        if not self.links:
            return text
        return f"\x1b]8;;{url}\x1b\\{text}\x1b]8;;\x1b\\"


_CODES = {
    "bold": "1",
    "dim": "2",
    "red": "91",
    "green": "32",
    "yellow": "33",
    "blue": "94",
    "cyan": "36",
}


def width_of(text: str) -> int:
    """How many columns `text`, which holds no tabs or control characters, takes."""
    if text.isascii():
        return len(text)
    return sum(map(_char_width, text))


def _char_width(char: str) -> int:
    if char < "\u0300":
        return 1
    import unicodedata

    if char in ("\u200d", "\ufe0e", "\ufe0f") or unicodedata.category(char) in ("Mn", "Me", "Cf"):
        return 0
    return 2 if unicodedata.east_asian_width(char) in ("W", "F") else 1


def wrapped(text: str, width: int, used: int, indent: int) -> list[str]:
    """`text` in lines of at most `width` columns, broken at spaces; a longer word stays whole.

    On the first line `used` columns are taken already, on the others `indent`.
    """
    lines: list[str] = []
    room = width - used
    for word in text.split(" "):
        size = width_of(word)
        if lines and size + 1 <= room:
            lines[-1] += f" {word}"
            room -= size + 1
        elif not lines:
            lines.append(word)
            room -= size
        else:
            lines.append(word)
            room = width - indent - size
    return lines


TAB = 4


def shown(text: str) -> str:
    """`text` with tabs as spaces and each control character as one visible character.

    What a file holds must not be able to move the cursor, paint, or turn the reading direction.
    """
    if text.isprintable():
        return text
    made = []
    for char in text:
        if char == "\t":
            made.append(" " * TAB)
        elif char < " " or char == "\x7f":
            made.append(chr(0x2400 + ord(char)) if char < " " else "\u2421")
        elif "\x80" <= char <= "\x9f" or "\ud800" <= char <= "\udfff" or char in _DIRECTIONS:
            made.append("\ufffd")
        else:
            made.append(char)
    return "".join(made)


_DIRECTIONS = frozenset("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")

"""Damage that editors, merges, disks and people do to a program, as pure functions of a choice."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

ODD = (
    "\x00", "\x0c", "\x0b", "\x1c", "\x85", "\u2028", "\ufeff", "\u202e", "\u0301", "😀", "é",
    "\ud800", "\r", "\n", "\t", "\\", "\\\n", "#", "'", '"', '"""', "(", ")", "[", "]", "{", "}", ":",
    ";", ",", "=", ":=", "*", "**", "@", "->", "...", "_", "0", "-", "~", "%", "!", "?", "`", "$", " ",
    "lambda: ", "await ", "yield ", "async ", "not ", "del ", "return ", "global x\n", "nonlocal x\n",
    "def f(", "class C:", "if 1:", "for x in x:", "with x:", "try:", "except*:", "match x:", "f'{x",
    "# jaxref: ignore[", "# jaxref: ignore-file\n", "# type: ignore\n", "1_0j", "0x", "1e999",
)  # fmt: skip
"""What is put in: characters that split lines, combine, or are none, and beginnings of syntax."""


@dataclass(frozen=True, slots=True)
class Damage:
    """One change: its kind, and two places as parts of the whole, from 0 to below 1."""

    kind: str
    at: float
    to: float

    def __call__(self, text: str) -> str:
        return KINDS[self.kind](text, self.at, self.to)


def _lines(text: str) -> list[str]:
    return re.split(r"(?<=\n)", text)


def _tokens(text: str) -> list[str]:
    """The text in words, runs of space, and single other characters; strings are no tokens."""
    return re.findall(r"\w+|\s+|[^\w\s]", text)


def _deleted(parts: list[str], at: int, to: int) -> list[str]:
    return parts[:at] + parts[at + 1 :]


def _doubled(parts: list[str], at: int, to: int) -> list[str]:
    return parts[: at + 1] + parts[at:]


def _swapped(parts: list[str], at: int, to: int) -> list[str]:
    parts = list(parts)
    parts[at], parts[to] = parts[to], parts[at]
    return parts


def _moved(parts: list[str], at: int, to: int) -> list[str]:
    return _deleted(parts, at, 0)[:to] + [parts[at]] + _deleted(parts, at, 0)[to:]


def _copied(parts: list[str], at: int, to: int) -> list[str]:
    return parts[:to] + [parts[at]] + parts[to:]


def _range_deleted(parts: list[str], at: int, to: int) -> list[str]:
    return parts[: min(at, to)] + parts[max(at, to) :]


def _on(
    split: Callable[[str], list[str]], change: Callable[[list[str], int, int], list[str]]
) -> Callable[[str, float, float], str]:
    def damaged(text: str, at: float, to: float) -> str:
        parts = split(text)
        if not parts:
            return text
        return "".join(change(parts, int(at * len(parts)), int(to * len(parts))))

    return damaged


def _inserted(text: str, at: float, to: float) -> str:
    place = int(at * (len(text) + 1))
    return text[:place] + ODD[int(to * len(ODD))] + text[place:]


def _dedented(text: str, at: float, to: float) -> str:
    lines = _lines(text)
    place = int(at * len(lines))
    body = lines[place].lstrip(" ")
    lines[place] = " " * int(to * 9) + body
    return "".join(lines)


KINDS: dict[str, Callable[[str, float, float], str]] = {
    "delete line": _on(_lines, _deleted),
    "double line": _on(_lines, _doubled),
    "swap lines": _on(_lines, _swapped),
    "move line": _on(_lines, _moved),
    "delete lines": _on(_lines, _range_deleted),
    "indent": _dedented,
    "delete token": _on(_tokens, _deleted),
    "double token": _on(_tokens, _doubled),
    "swap tokens": _on(_tokens, _swapped),
    "copy token": _on(_tokens, _copied),
    "delete tokens": _on(_tokens, _range_deleted),
    "delete characters": _on(list, _range_deleted),
    "insert": _inserted,
    "truncate": lambda text, at, to: text[: int(at * (len(text) + 1))],
    "behead": lambda text, at, to: text[int(at * (len(text) + 1)) :],
    "CRLF": lambda text, at, to: text.replace("\n", "\r\n"),
    "CR": lambda text, at, to: text.replace("\n", "\r"),
    "tabs": lambda text, at, to: text.replace("    ", "\t"),
    "twice": lambda text, at, to: text + text,
}

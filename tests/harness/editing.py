"""Edits such as people make, at random: of lines, of names, of whole statements."""

from __future__ import annotations

import ast
import random
import re
from collections.abc import Callable

_NAME = re.compile(r"[^\W\d]\w*")
_NUMBER = re.compile(r"\b\d+\b")


def edited(text: str, dice: random.Random) -> str:
    """`text` after one edit. Most leave it valid Python, and change what it does."""
    while True:
        change = dice.choices(_CHANGES, _WEIGHTS)[0]
        lines = change(text.split("\n"), dice)
        after = "\n".join(lines)
        if after == text:
            continue
        if dice.random() < 0.1 or _is_python(after):
            return after


def _is_python(text: str) -> bool:
    try:
        ast.parse(text)
    except (SyntaxError, ValueError):
        return False
    return True


def _delete_line(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return lines[:at] + lines[at + 1 :]


def _repeat_line(lines: list[str], dice: random.Random) -> list[str]:
    """A line once more, where another of the same depth stands."""
    line = dice.choice(lines)
    at = dice.randrange(len(lines) + 1)
    around = lines[min(at, len(lines) - 1)]
    indent = around[: len(around) - len(around.lstrip())]
    return lines[:at] + [indent + line.strip()] + lines[at:]


def _swap_lines(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return lines[:at] + lines[at : at + 2][::-1] + lines[at + 2 :]


def _insert_comment(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines) + 1)
    return lines[:at] + dice.choice([[""], ["# a comment"], ["", "", ""]]) + lines[at:]


def _comment_out(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return lines[:at] + ["# " + lines[at]] + lines[at + 1 :]


def _rename(lines: list[str], dice: random.Random) -> list[str]:
    """One name of a line becomes another name of the file."""
    at = dice.randrange(len(lines))
    names = list(_NAME.finditer(lines[at]))
    others = _NAME.findall(dice.choice(lines))
    if not names or not others:
        return lines
    found, line = dice.choice(names), lines[at]
    return [
        *lines[:at],
        line[: found.start()] + dice.choice(others) + line[found.end() :],
        *lines[at + 1 :],
    ]


def _change_number(lines: list[str], dice: random.Random) -> list[str]:
    at = dice.randrange(len(lines))
    return [*lines[:at], _NUMBER.sub(lambda _: str(dice.randrange(5)), lines[at]), *lines[at + 1 :]]


def _insert_statement(lines: list[str], dice: random.Random) -> list[str]:
    """A new statement of the top level that has to do with names of the file."""
    names = _NAME.findall(" ".join(dice.sample(lines, min(4, len(lines))))) or ["x"]
    one, other = dice.choice(names), dice.choice(names)
    new = dice.choice(
        [f"{one} = {other}", f"{one}", f"{one}({other})", f"{one}.{other} = {other}", f"{one}[...] = {other}",
         f"def {one}({other}):\n    return {other}[...]", f"del {one}", f"if {one}:\n    {other} = None",
         f"import {one}", f"def {one}():\n    global {other}\n    {other} = {one}"]
    )  # fmt: skip
    tops = [at for at, line in enumerate(lines) if line and not line[0].isspace()] or [0]
    at = dice.choice(tops)
    return lines[:at] + new.split("\n") + lines[at:]


def _with_statements(
    change: Callable[[list[list[str]], random.Random], list[list[str]]],
) -> Callable[[list[str], random.Random], list[str]]:
    def changed(lines: list[str], dice: random.Random) -> list[str]:
        try:
            body = ast.parse("\n".join(lines)).body
        except (SyntaxError, ValueError):
            return lines
        starts = [
            min([one.lineno, *(d.lineno for d in getattr(one, "decorator_list", ()))]) - 1
            for one in body
        ]
        if len(starts) < 3:
            return lines
        blocks = [lines[a:b] for a, b in zip(starts, [*starts[1:], len(lines)], strict=True)]
        return [line for block in [lines[: starts[0]], *change(blocks, dice)] for line in block]

    return changed


@_with_statements
def _delete_statement(blocks: list[list[str]], dice: random.Random) -> list[list[str]]:
    at = dice.randrange(len(blocks))
    return blocks[:at] + blocks[at + 1 :]


@_with_statements
def _move_statement(blocks: list[list[str]], dice: random.Random) -> list[list[str]]:
    block = blocks.pop(dice.randrange(len(blocks)))
    at = dice.randrange(len(blocks) + 1)
    return blocks[:at] + [block] + blocks[at:]


@_with_statements
def _repeat_statement(blocks: list[list[str]], dice: random.Random) -> list[list[str]]:
    at = dice.randrange(len(blocks) + 1)
    return blocks[:at] + [dice.choice(blocks)] + blocks[at:]


_CHANGES = (
    _delete_line, _repeat_line, _swap_lines, _insert_comment, _comment_out, _rename, _change_number,
    _insert_statement, _delete_statement, _move_statement, _repeat_statement,
)  # fmt: skip
_WEIGHTS = (3, 4, 2, 2, 2, 5, 2, 3, 1, 1, 1)

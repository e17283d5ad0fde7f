"""The same program, formatted otherwise: other indentation, spacing, line breaks, comments, line ends."""

from __future__ import annotations

import io
import random
import tokenize

OPENING, CLOSING = "([{", ")]}"
TIGHT_BEFORE = {")", "]", "}", ",", ":", ".", "(", "[", "="}


def variant(text: str, seed: int) -> str:
    """`text` with the same tokens in another layout, chosen by `seed`."""
    choose = random.Random(seed)
    unit = choose.choice(["  ", "    ", "\t", "        "])
    newline = choose.choice(["\n", "\n", "\r\n"])
    tokens = list(tokenize.generate_tokens(io.StringIO(text).readline))
    lines: list[str] = []
    line = ""
    depth, brackets, fresh = 0, 0, True
    previous: tokenize.TokenInfo | None = None
    for token in tokens:
        kind, string = token.type, token.string
        if kind == tokenize.INDENT:
            depth += 1
        elif kind == tokenize.DEDENT:
            depth -= 1
        elif kind in (tokenize.NEWLINE, tokenize.NL):
            if kind == tokenize.NL and brackets:
                continue
            if kind == tokenize.NEWLINE and choose.random() < 0.3 and "#" not in line:
                line += choose.choice(["  # a remark", " #", "   "])
            lines.append(line)
            if kind == tokenize.NEWLINE and choose.random() < 0.1:
                lines.append("")
            line, fresh, previous = "", True, None
        elif kind == tokenize.COMMENT:
            if brackets:
                continue
            line += (unit * depth if fresh else "  ") + string
            fresh = False
        elif kind == tokenize.ENDMARKER:
            break
        else:
            gap = unit * depth if fresh else _gap(previous, token, choose)
            if brackets and choose.random() < 0.08:
                gap = choose.choice([newline, f"  # inside{newline}"]) + " " * choose.randrange(12)
            line += gap + string
            fresh = False
            brackets += (string in OPENING) - (string in CLOSING) if kind == tokenize.OP else 0
            previous = token
    if line:
        lines.append(line)
    end = choose.choice([newline, ""])
    return newline.join(lines).rstrip("\r\n") + end


def _gap(
    previous: tokenize.TokenInfo | None, token: tokenize.TokenInfo, choose: random.Random
) -> str:
    if previous is None:
        return ""
    words = (tokenize.NAME, tokenize.NUMBER, tokenize.STRING)
    separate = previous.end != token.start
    if previous.type in words and token.type in words:
        return " " * choose.choice([1, 1, 1, 2])
    if getattr(tokenize, "FSTRING_START", None) is not None and (
        tokenize.FSTRING_START <= previous.type <= tokenize.FSTRING_END
        or tokenize.FSTRING_START <= token.type <= tokenize.FSTRING_END
    ):
        return (
            token.line[previous.end[1] : token.start[1]]
            if previous.end[0] == token.start[0]
            else ""
        )
    if choose.random() < 0.15:
        return " " * choose.choice([0, 1, 2]) if separate or token.string in TIGHT_BEFORE else " "
    return " " if separate else ""

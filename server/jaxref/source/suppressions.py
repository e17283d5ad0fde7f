"""Comments that silence findings: `# jaxref: ignore[rule]` and `# jaxref: ignore-file`."""

from __future__ import annotations

import re
from bisect import bisect_right

from jaxref.quick_dataclasses import dataclass
from jaxref.source.lines import LogicalLine, shape_of
from jaxref.source.text import Span, Text


@dataclass(frozen=True, slots=True)
class RuleName:
    """A rule as written in a comment's brackets."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Suppression:
    """One such comment.

    `span` is the comment's own text, from `#` to its end. `rules` is None for one without brackets.
    `lines` are the 0-based lines it covers, None when it covers the whole file. `problem` says in
    one line why a comment is not understood; it then covers nothing.
    """

    span: Span
    rules: tuple[RuleName, ...] | None
    lines: LogicalLine | None
    reason: str | None = None
    problem: str | None = None

    def covers(self, rule: str, line: int) -> bool:
        """True when it silences `rule` on the 0-based `line`."""
        if self.problem is not None:
            return False
        if self.lines is not None and not self.lines.first <= line <= self.lines.last:
            return False
        return self.rules is None or any(written.name == rule for written in self.rules)


def suppressions_in(text: Text) -> tuple[Suppression, ...]:
    """All suppressions of `text`, in order.

    A comment at the end of any line of a statement covers the whole statement (of a compound one,
    its header); one on a line of its own covers the statement below, or the one it stands in.
    """
    if "jaxref:" not in text.content:
        return ()
    shape = shape_of(text)
    logical = shape.logical
    firsts = [line.first for line in logical]
    found: list[Suppression] = []
    comment_lines = {text.line_index(comment.start) for comment in shape.comments}
    for comment in shape.comments:
        content = text.slice(comment)
        opening = _OPENING.search(content)
        if opening is None:
            continue
        span = Span(comment.start + opening.start(), comment.end)
        line = text.line_index(comment.start)
        written = _WRITTEN.match(content, opening.end())
        if written is None:
            problem = "write `# jaxref: ignore[rule]` or `# jaxref: ignore-file`"
            found.append(Suppression(span, (), LogicalLine(line, line), problem=problem))
            continue
        end = comment.start + len(content[: written.end()].rstrip())
        rules = _rules(written, comment.start)
        lines: LogicalLine | None = None
        if written["what"] == "ignore":
            at = bisect_right(firsts, line) - 1
            if at >= 0 and line <= logical[at].last:
                lines = logical[at]
            else:
                below = line
                while below in comment_lines and below not in firsts[at + 1 : at + 2]:
                    below += 1
                lines = LogicalLine(line, line)
                if at + 1 < len(logical) and firsts[at + 1] == below:
                    lines = logical[at + 1]
        reason = None if written["reason"] is None else written["reason"].strip()
        found.append(Suppression(Span(span.start, end), rules, lines, reason=reason))
    return tuple(found)


_OPENING = re.compile(r"#\s*jaxref:\s*")
_WRITTEN = re.compile(
    r"""(?P<what>ignore-file|ignore)(?![\w-])\s*+
        (?:\[(?P<rules>[\w\s,-]*+)\])?
        \s*+(?:--(?P<reason>[^#]*+))?(?=\#|$)""",
    re.VERBOSE,
)


def _rules(written: re.Match[str], base: int) -> tuple[RuleName, ...] | None:
    names = written["rules"]
    if names is None:
        return None
    start = base + written.start("rules")
    return tuple(
        RuleName(name.group(), Span(start + name.start(), start + name.end()))
        for name in re.finditer(r"[\w-]+", names)
    )

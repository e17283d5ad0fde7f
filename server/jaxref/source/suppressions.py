"""Comments that silence findings: `# jaxref: ignore[rule]`, `ignore-file`, `disable` up to `enable`."""

from __future__ import annotations

import re
from bisect import bisect_right

from jaxref.quick_dataclasses import dataclass, replace
from jaxref.source.lines import LogicalLine, shape_of
from jaxref.source.text import Span, Text


@dataclass(frozen=True, slots=True)
class RuleName:
    """A rule as written in a comment's brackets."""

    name: str
    span: Span


@dataclass(frozen=True, slots=True)
class Ending:
    """The comment that ends what a `disable` began. `rules` is None for one without brackets."""

    span: Span
    rules: tuple[RuleName, ...] | None


@dataclass(frozen=True, slots=True)
class Suppression:
    """One such comment.

    `span` is the comment's own text, from `#` to its end. `rules` is None for one without brackets.
    `lines` are the 0-based lines it covers, None when it covers the whole file. `problem` says in
    one line why a comment is not understood; it then covers nothing. `ending` belongs to a `disable`.
    """

    span: Span
    rules: tuple[RuleName, ...] | None
    lines: LogicalLine | None
    reason: str | None = None
    problem: str | None = None
    ending: Ending | None = None

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
    its header); one on a line of its own covers the statement below, or the one it stands in. A `disable`
    covers all lines up to the next `enable` of the same rules, or to one without rules; where none
    follows it is not understood, since it would silence more than anybody sees.
    """
    if "jaxref:" not in text.content:
        return ()
    shape = shape_of(text)
    logical = shape.logical
    firsts = [line.first for line in logical]
    found: list[Suppression] = []
    open_ranges: list[int] = []
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
            problem = "write `# jaxref: ignore[rule]`, `ignore-file`, or `disable[rule]` and `enable[rule]`"
            found.append(Suppression(span, (), LogicalLine(line, line), problem=problem))
            continue
        end = comment.start + len(content[: written.end()].rstrip())
        rules = _rules(written, comment.start)
        if written["what"] == "enable":
            _end(found, open_ranges, Ending(Span(span.start, end), rules), line)
            continue
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
        elif written["what"] == "disable":
            lines = LogicalLine(line, line)
            open_ranges.append(len(found))
        reason = None if written["reason"] is None else written["reason"].strip()
        found.append(Suppression(Span(span.start, end), rules, lines, reason=reason))
    for index in open_ranges:
        problem = "no `# jaxref: enable` of the same rules follows"
        found[index] = replace(found[index], problem=problem)
    return tuple(found)


def _end(found: list[Suppression], open_ranges: list[int], ending: Ending, line: int) -> None:
    """Let `ending`, on the 0-based `line`, end the open ranges of `found` that are its own."""
    names = _names(ending.rules)
    ended = [
        index
        for index in reversed(open_ranges)
        if ending.rules is None or _names(found[index].rules) == names
    ]
    if ending.rules is not None:
        del ended[1:]
    for index in ended:
        open_ranges.remove(index)
        begun = found[index].lines or LogicalLine(line, line)
        lines = LogicalLine(begun.first, line)
        found[index] = replace(found[index], lines=lines, ending=ending)
    if not ended:
        problem = "no `# jaxref: disable` of the same rules comes before"
        here = LogicalLine(line, line)
        found.append(Suppression(ending.span, ending.rules, here, problem=problem))


def _names(rules: tuple[RuleName, ...] | None) -> frozenset[str] | None:
    return None if rules is None else frozenset(rule.name for rule in rules)


_OPENING = re.compile(r"#\s*jaxref:\s*")
_WRITTEN = re.compile(
    r"""(?P<what>ignore-file|ignore|disable|enable)(?![\w-])\s*+
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

"""Comments that silence findings, as edits."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import takewhile

from jaxref.fixes.model import Edit
from jaxref.source.lines import LogicalLine, shape_of, statements_in
from jaxref.source.parsing import parse
from jaxref.source.suppressions import Suppression, suppressions_in
from jaxref.source.text import Span, Text
from jaxref.source.walking import first_line, last_line, statements_on


def silencing_edit(text: Text, rule: str, offset: int) -> Edit | None:
    """What makes a comment silence `rule` in the statement at `offset`, None where none is.

    Quick for a text that was parsed before.
    """
    edits = _edits(text, [(rule, offset)], _around(text, offset))
    return edits[0] if edits else None


def silencing_edits(text: Text, findings: Iterable[tuple[str, int]]) -> tuple[Edit, ...]:
    """What makes comments silence `findings`, each a rule and an offset; sorted, one a statement.

    A comment that silences other rules in the statement gets more of them; else one is added at the
    end of the statement's last line. What is silenced already needs no edit. What stands in no
    statement gets none, and neither does a statement whose last line ends with another comment for
    jaxref, one about the file or one that is not understood.
    """
    return _edits(text, findings, shape_of(text).logical)


def _around(text: Text, offset: int) -> Sequence[LogicalLine]:
    """The logical lines of the statements of the top level at an offset; all those of a broken text."""
    parsed = parse(text.content)
    if parsed.errors:
        return shape_of(text).logical
    index = text.line_index
    tree, found = parsed.tree, statements_on(parsed.tree, index(offset) + 1)
    if not found:
        return ()
    first, last = found[0], found[-1]
    # Others may begin or end on their lines.
    while (above := statements_on(tree, first_line(first))[0]) is not first:
        first = above
    while (below := statements_on(tree, last_line(last))[-1]) is not last:
        last = below
    start = text.line_starts[first_line(first) - 1]
    end = text.line_span(last_line(last) - 1).end
    lines = takewhile(lambda line: line.start < end, statements_in(text.content, start))
    return [LogicalLine(index(one.start), index(one.end)) for one in lines]


def _edits(
    text: Text, findings: Iterable[tuple[str, int]], logical: Sequence[LogicalLine]
) -> tuple[Edit, ...]:
    suppressions = suppressions_in(text)
    wanted: dict[LogicalLine, list[str]] = {}
    for rule, offset in sorted(findings, key=lambda finding: finding[1]):
        line = text.line_index(offset)
        if any(suppression.covers(rule, line) for suppression in suppressions):
            continue
        statement = next((one for one in logical if one.first <= line <= one.last), None)
        if statement is not None:
            rules = wanted.setdefault(statement, [])
            if rule not in rules:
                rules.append(rule)
    made = []
    taken = {text.line_index(suppression.span.start) for suppression in suppressions}
    for statement, rules in wanted.items():
        listed = ", ".join(rules)
        comment = next((one for one in suppressions if _takes_more(one, statement)), None)
        if comment is not None and comment.rules:
            end = comment.rules[-1].span.end
            made.append(Edit(Span(end, end), f", {listed}"))
        elif comment is not None:
            bracket = text.content.index("]", comment.span.start)
            made.append(Edit(Span(bracket, bracket), listed))
        elif statement.last not in taken:
            body = text.line_span(statement.last)
            end = body.start + len(text.slice(body).rstrip())
            made.append(Edit(Span(end, body.end), f"  # jaxref: ignore[{listed}]"))
    return tuple(sorted(made, key=lambda edit: edit.span))


def _takes_more(suppression: Suppression, statement: LogicalLine) -> bool:
    return (
        suppression.problem is None
        and suppression.ending is None
        and suppression.lines == statement
        and suppression.rules is not None
    )

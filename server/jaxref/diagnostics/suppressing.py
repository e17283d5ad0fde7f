"""Suppression comments applied to findings, and the comments that silence nothing."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Sequence

from jaxref.diagnostics.model import Diagnostic
from jaxref.fixes.model import Edit, Fix
from jaxref.quick_dataclasses import replace
from jaxref.source.suppressions import Suppression, suppressions_in
from jaxref.source.text import Span, Text

UNUSED_IGNORE = "unused-ignore"
BARE_IGNORE = "bare-ignore"
"""Reported only where the settings name it."""


def without_suppressed(
    path: str,
    text: Text,
    diagnostics: Sequence[Diagnostic],
    known: Collection[str] = (),
    active: Callable[[str], bool] = lambda rule: True,
    complete: bool = True,
) -> tuple[Diagnostic, ...]:
    """`diagnostics` without those that comments in `text` silence, with hints on needless comments.

    A hint is given only where the comment could have silenced something: `active` says which rules
    ran, `complete` is False when the analysis gave up somewhere. `known` are all names that may be
    written; when it is empty, every name may. The result is sorted by place.
    """
    suppressions = suppressions_in(text)
    if not suppressions:
        return tuple(diagnostics)
    used: set[tuple[int, str]] = set()
    kept: list[Diagnostic] = []
    for diagnostic in diagnostics:
        line = text.line_index(diagnostic.span.start)
        silencing = [
            index
            for index, suppression in enumerate(suppressions)
            if suppression.covers(diagnostic.rule, line)
        ]
        used.update((index, diagnostic.rule) for index in silencing)
        if not silencing:
            kept.append(diagnostic)
    if active(UNUSED_IGNORE):
        for index, suppression in enumerate(suppressions):
            mine = {rule for at, rule in used if at == index}
            shared = any(
                other.ending is not None and other.ending == suppression.ending
                for other in suppressions
                if other is not suppression
            )
            whole = _without_comment(text, suppression, shared)
            kept.extend(_needless(path, suppression, whole, mine, known, active, complete))
    if active(BARE_IGNORE):
        for index, suppression in enumerate(suppressions):
            mine = {rule for at, rule in used if at == index}
            if suppression.rules is None and mine:
                kept.append(_bare(path, text, suppression, mine))
    return tuple(sorted(kept, key=lambda diagnostic: diagnostic.span))


def with_suppressed_marked(text: Text, diagnostics: Sequence[Diagnostic]) -> tuple[Diagnostic, ...]:
    """All `diagnostics`; those that comments in `text` silence say so."""
    suppressions = suppressions_in(text)
    return tuple(
        replace(diagnostic, suppressed=True)
        if any(one.covers(diagnostic.rule, line) for one in suppressions)
        else diagnostic
        for diagnostic in diagnostics
        for line in [text.line_index(diagnostic.span.start)]
    )


def _needless(
    path: str,
    suppression: Suppression,
    whole: Fix,
    used: set[str],
    known: Collection[str],
    active: Callable[[str], bool],
    complete: bool,
) -> list[Diagnostic]:
    def hint(span: Span, message: str, fix: Fix | None) -> Diagnostic:
        fixes = () if fix is None else (fix,)
        return Diagnostic(path, UNUSED_IGNORE, "hint", message, span, fixes=fixes)

    if suppression.problem is not None:
        message = f"this comment is not understood and ignores nothing: {suppression.problem}"
        return [hint(suppression.span, message, None)]
    if suppression.rules is None:
        if used or not complete:
            return []
        return [hint(suppression.span, "this comment ignores nothing", whole)]
    if not suppression.rules:
        return [hint(suppression.span, "this comment names no rule, so it ignores nothing", whole)]
    needless = []
    for rule in suppression.rules:
        if rule.name in used:
            continue
        if known and rule.name not in known:
            from difflib import get_close_matches

            near = get_close_matches(rule.name, known, 1)
            meant = f"; did you mean `{near[0]}`?" if near else ""
            needless.append((rule, f"`{rule.name}` is not the name of a rule{meant}"))
        elif complete and active(rule.name):
            needless.append(
                (rule, f"`{rule.name}` is not reported here, so ignoring it is needless")
            )
    if len(needless) == len(suppression.rules):
        return [hint(suppression.span, message, whole) for _, message in needless[:1]]
    kept = [rule.name for rule in suppression.rules if rule not in [item for item, _ in needless]]
    lists = [suppression.rules]
    if suppression.ending is not None and suppression.ending.rules:
        lists.append(suppression.ending.rules)
    edits = tuple(
        Edit(Span(names[0].span.start, names[-1].span.end), ", ".join(kept)) for names in lists
    )
    return [
        hint(
            rule.span,
            message,
            Fix(
                f"Remove `{rule.name}` from the comment",
                edits,
                "safe",
                preferred=True,
            ),
        )
        for rule, message in needless
    ]


def _bare(path: str, text: Text, suppression: Suppression, used: set[str]) -> Diagnostic:
    """The hint at a comment that silences whatever there is, with the names it could have as its fix."""
    word = _KEYWORD.search(text.content, suppression.span.start, suppression.span.end)
    assert word is not None
    names = ", ".join(sorted(used))
    edit = Edit(Span(word.end(), word.end()), f"[{names}]")
    fix = Fix(f"Name what is ignored: `{names}`", (edit,), "safe", preferred=True)
    message = "this comment ignores every rule, also those that nobody has thought of"
    return Diagnostic(path, BARE_IGNORE, "hint", message, suppression.span, fixes=(fix,))


_KEYWORD = re.compile(r"jaxref:\s*(?:ignore-file|ignore|disable)")


def _without_comment(text: Text, suppression: Suppression, shared: bool) -> Fix:
    """The fix that removes the comment, and the one that ends what it began unless that is `shared`."""
    edits = [_removal(text, suppression.span)]
    if suppression.ending is not None and not shared:
        edits.append(_removal(text, suppression.ending.span))
    return Fix("Remove the comment", tuple(edits), "safe", preferred=True)


def _removal(text: Text, comment: Span) -> Edit:
    """The edit that removes a comment, with its line when it stands alone on it."""
    start, end = comment
    line = text.line_span(text.line_index(start))
    before = text.content[line.start : start].rstrip()
    after = text.content[end : line.end].strip()
    if not before and not after:
        index = text.line_index(start)
        starts = text.line_starts
        following = starts[index + 1] if index + 1 < len(starts) else len(text.content)
        span = Span(line.start, following)
    elif not after:
        span = Span(line.start + len(before), line.end)
    else:
        span = Span(start, line.end - len(text.content[end : line.end].lstrip()))
    return Edit(span, "")

"""Fixes applied to a text, again and again until nothing changes."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Protocol

from jaxref.fixes.model import Applicability, Edit, Fix
from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import replaced


class Fixable(Protocol):
    """What carries fixes: a diagnostic."""

    @property
    def rule(self) -> str: ...

    @property
    def fixes(self) -> Sequence[Fix]: ...


@dataclass(frozen=True, slots=True)
class Fixed:
    """A fixed text, and for each fix that was applied the rule and the title, in order.

    `rejected` names the fixes that were taken back because the text did not parse with them.
    """

    text: str
    applied: tuple[tuple[str, str], ...] = ()
    rejected: tuple[str, ...] = ()


def apply_edits(text: str, edits: Iterable[Edit]) -> str:
    """`text` with `edits` done. Raises `ValueError` where they overlap."""
    return replaced(text, [(edit.span, edit.text) for edit in edits])


def chosen_fix(fixable: Fixable, allowed: frozenset[Applicability]) -> Fix | None:
    """The fix to apply unseen: the preferred one of those allowed, else the first of them.

    A preferred fix that is not allowed is not passed over for a lesser one.
    """
    if any(fix.preferred and fix.applicability not in allowed for fix in fixable.fixes):
        return None
    candidates = [fix for fix in fixable.fixes if fix.applicability in allowed and fix.edits]
    return next((fix for fix in candidates if fix.preferred), candidates[0] if candidates else None)


def fix_text(
    text: str,
    analyse: Callable[[str], Sequence[Fixable]],
    parses: Callable[[str], bool],
    allowed: frozenset[Applicability] = frozenset(["safe"]),
    rounds: int = 20,
) -> Fixed:
    """Apply the allowed fixes of what `analyse` finds in `text`, to a fixpoint.

    In each round as many fixes are applied as do not touch each other; what they leave is analysed
    anew. A text that parsed parses afterwards: a fix that breaks it is taken back and not tried
    again. At most `rounds` rounds.
    """
    applied: list[tuple[str, str]] = []
    rejected: list[str] = []
    refused: set[tuple[str, tuple[Edit, ...]]] = set()
    seen = {text}
    parsed_before = parses(text)
    for _ in range(rounds):
        wanted = [
            (fixable.rule, fix)
            for fixable in analyse(text)
            if (fix := chosen_fix(fixable, allowed)) is not None
            and (text, fix.edits) not in refused
        ]
        chosen = _apart(wanted)
        if not chosen:
            break
        fixed = apply_edits(text, [edit for _, fix in chosen for edit in fix.edits])
        if parsed_before and not parses(fixed):
            chosen, broken = _parsing(text, chosen, parses)
            rejected.extend(f"{rule}: {fix.title}" for rule, fix in broken)
            refused.update((text, fix.edits) for _, fix in broken)
            if not chosen:
                continue
            fixed = apply_edits(text, [edit for _, fix in chosen for edit in fix.edits])
            if not parses(fixed):
                break
        if fixed in seen:
            break
        seen.add(fixed)
        text = fixed
        applied.extend((rule, fix.title) for rule, fix in chosen)
    return Fixed(text, tuple(applied), tuple(dict.fromkeys(rejected)))


def _apart(wanted: Sequence[tuple[str, Fix]]) -> list[tuple[str, Fix]]:
    """The fixes that touch none before them. Two insertions at one place touch: their order would
    be chance, and each may have been made for a place the other moves."""
    taken: list[Edit] = []
    chosen: list[tuple[str, Fix]] = []
    for rule, fix in wanted:
        if any(_touch(edit, other) for edit in fix.edits for other in taken):
            continue
        chosen.append((rule, fix))
        taken.extend(fix.edits)
    return chosen


def _touch(first: Edit, second: Edit) -> bool:
    return first.span.start <= second.span.end and second.span.start <= first.span.end


def _parsing(
    text: str, chosen: Sequence[tuple[str, Fix]], parses: Callable[[str], bool]
) -> tuple[list[tuple[str, Fix]], list[tuple[str, Fix]]]:
    """The fixes that parse by themselves, and those that do not."""
    good: list[tuple[str, Fix]] = []
    broken: list[tuple[str, Fix]] = []
    for rule, fix in chosen:
        (good if parses(apply_edits(text, fix.edits)) else broken).append((rule, fix))
    return good, broken

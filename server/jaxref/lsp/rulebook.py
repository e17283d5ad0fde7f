"""What the server says of rules by their names. The rule book is only read when it is asked for."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache

from lsprotocol import types

from jaxref.diagnostics.suppressing import BARE_IGNORE, UNUSED_IGNORE
from jaxref.diagnostics.syntax import SYNTAX_ERROR

_TAGS: Mapping[str, types.DiagnosticTag] = {
    "deprecated": types.DiagnosticTag.Deprecated,
    "unnecessary": types.DiagnosticTag.Unnecessary,
}

LEFT_TO_OTHERS = frozenset({SYNTAX_ERROR})
"""What the ordinary Python server beside this one already says."""


@cache
def summaries() -> Mapping[str, str]:
    """What each rule finds, by its name; all names that may stand in settings and comments."""
    from jaxref.rules.registry import all_rules

    found = {rule.name: rule.summary for rule in all_rules()}
    found[SYNTAX_ERROR] = "the file is not Python"
    found[UNUSED_IGNORE] = "a comment ignores what is not reported"
    found[BARE_IGNORE] = "a comment ignores every rule"
    return dict(sorted(found.items()))


@cache
def tags_of(rule: str) -> tuple[types.DiagnosticTag, ...]:
    """How an editor marks the place of the rule's findings, beyond underlining it."""
    from jaxref.rules.registry import all_rules

    if rule == UNUSED_IGNORE:
        return (types.DiagnosticTag.Unnecessary,)
    written = next((known.tags for known in all_rules() if known.name == rule), ())
    return tuple(_TAGS[tag] for tag in written if tag in _TAGS)

"""The fixes of a finding, by rule."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache

from jaxref.fixes.edits import NotPossible
from jaxref.fixes.model import Fix
from jaxref.fixes.program import Program
from jaxref.late import modules_with
from jaxref.quick_dataclasses import replace

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.rules.model import Finding

Remedy = Callable[[Program, "Finding"], Fix]
"""Makes one fix of a finding in the program's own file, or raises `NotPossible`."""


def fixes_for(
    rule: str, finding: Finding, program: Program
) -> tuple[tuple[Fix, ...], tuple[str, ...]]:
    """The fixes for a finding of `rule` in `program`, the preferred one first, and the reasons why
    remedies were not possible, in words for the user.

    Where no remedy says that its fix is to be preferred, the first safe one is.
    """
    made: list[Fix] = []
    refusals: dict[str, None] = {}
    for remedy in remedies_for(rule):
        try:
            fix = remedy(program, finding)
        except NotPossible as refusal:
            if refusal.args:
                refusals.setdefault(str(refusal))
            continue
        if all(fix.edits != other.edits for other in made):
            made.append(fix)
    if not any(fix.preferred for fix in made):
        first = next((i for i, fix in enumerate(made) if fix.applicability == "safe"), None)
        if first is not None:
            made[first] = replace(made[first], preferred=True)
    return tuple(sorted(made, key=lambda fix: not fix.preferred)), tuple(refusals)


@cache
def remedies_for(rule: str) -> Sequence[Remedy]:
    """The remedies for findings of `rule`."""
    found: list[Remedy] = []
    for module in modules_with("jaxref.fixes.remedies", "REMEDIES", (rule,)):
        found += module.REMEDIES.get(rule, ())
    return found

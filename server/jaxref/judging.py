"""From facts to diagnostics: what the rules hold of them, how loud it is said, and how it is mended."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence

from jaxref.diagnostics.failures import failure
from jaxref.diagnostics.model import Diagnostic, Related, Severity
from jaxref.quick_dataclasses import dataclass, replace
from jaxref.settings import Settings
from jaxref.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.facts import Alternative, Fact, Place
    from jaxref.fixes.model import Fix
    from jaxref.fixes.program import Program
    from jaxref.rules.model import Finding, Rule


@dataclass(frozen=True, slots=True)
class Judged:
    """What a rule finds, and all that decides how loud it is said, without the fact it was found in.

    `certain` is false for what holds on some paths only, as it does under the alternatives `ways`
    unless it holds under all of them.
    """

    rule: Rule
    message: str
    place: Place
    related: tuple[tuple[Place, str], ...]
    severity: Severity
    certain: bool
    ways: tuple[Alternative, ...]
    callers: tuple[Place, ...]
    caught: frozenset[str]
    finding: Finding | None = None
    """None where the fact was stated in an earlier analysis."""


def judge(facts: Sequence[Fact], settings: Settings) -> tuple[list[list[Judged]], list[str]]:
    """What the rules that are switched on hold of each fact, and in one line each what failed in them."""
    from jaxref.rules.registry import rules_about

    by_type: dict[type[Fact], list[Rule]] = {}
    for rule in rules_about({type(fact).__name__ for fact in facts}):
        if rule.check is not None and _enabled(rule, settings):
            for kind in rule.facts:
                by_type.setdefault(kind, []).append(rule)
    failures: list[str] = []
    failed: set[str] = set()
    judged: list[list[Judged]] = []
    for fact in facts:
        found: list[Judged] = []
        judged.append(found)
        for rule in by_type.get(type(fact), ()):
            if rule.check is None or rule.name in failed:
                continue
            try:
                for finding in rule.check(fact):
                    found.append(_judged(rule, finding))
            except Exception as error:
                # A rule that fails costs only itself.
                failed.add(rule.name)
                failures.append(failure(f"rule {rule.name}", error))
    return judged, failures


def _enabled(rule: Rule, settings: Settings) -> bool:
    if (
        not rule.default
        and rule.name not in (settings.select or ())
        and rule.name not in settings.severity
    ):
        return False
    return settings.enabled(rule.name)


def _judged(rule: Rule, finding: Finding) -> Judged:
    site = finding.fact.site
    return Judged(
        rule, finding.message, finding.place, finding.related, finding.severity or rule.severity,
        finding.certain and site.certain, site.alternatives, site.callers, site.caught, finding,
    )  # fmt: skip


def diagnosed(
    path: str, judged: Iterable[Judged], settings: Settings, texts: Mapping[str, Text]
) -> list[tuple[Diagnostic, Judged]]:
    """What was judged, as diagnostics of the file `path` without fixes, in no order.

    The loudest of each rule at each place is kept. `texts` are those of the files that may be named.
    """
    found: dict[tuple[str, Span], tuple[Diagnostic, Judged]] = {}
    under: dict[tuple[str, Place], list[tuple[Alternative, ...]]] = {}
    raising: set[str] = set()
    for one in judged:
        certain = one.certain
        if one.ways and certain:
            # What holds under each of the alternatives holds.
            seen = under.setdefault((one.rule.name, one.place), [])
            seen.append(one.ways)
            certain = _covers_all(seen)
        if one.rule.severity == "error":
            raising.add(one.rule.name)
        diagnostic = _diagnostic(path, one, settings, texts, certain)
        if diagnostic is None:
            continue
        key = (diagnostic.rule, diagnostic.span)
        old = found.get(key)
        if old is None or _LOUDNESS[diagnostic.severity] > _LOUDNESS[old[0].severity]:
            found[key] = diagnostic, one
    # An error that is caught is a hint, and yet JAX raises.
    ended = {
        one.span
        for one, _ in found.values()
        if one.severity == "error" or (one.severity == "hint" and one.rule in raising)
    }
    return [
        (diagnostic, one)
        for diagnostic, one in found.values()
        # Where JAX raises, what it would have kept silent about does not matter.
        if diagnostic.rule in raising or diagnostic.span not in ended
    ]


class Mender:
    """Makes the fixes of diagnostics of `program` when they are asked for, each once.

    `finding_of` gives the finding that something was judged by, and the facts that tell of all that it
    has to do with.
    """

    def __init__(
        self,
        found: Iterable[tuple[Diagnostic, Judged]],
        program: Program,
        finding_of: Callable[[Judged], tuple[Finding, Sequence[Fact]]],
    ) -> None:
        self._judged = {
            (one.rule, one.span): judged
            for one, judged in found
            if one.severity != "hint"
            and (judged.place.path, judged.place.span) == (program.path, one.span)
        }
        self._program = program
        self._finding_of = finding_of
        self._made: dict[tuple[str, Span], tuple[tuple[Fix, ...], tuple[str, ...]]] = {}

    def fixed(self, diagnostics: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[str]]:
        """Diagnostics with their fixes, and in one line each what failed in making them just now."""
        from jaxref.fixes.builders import fixes_for

        fixed: list[Diagnostic] = []
        failures: list[str] = []
        for one in diagnostics:
            key = one.rule, one.span
            judged = self._judged.get(key)
            if judged is None:
                fixed.append(one)
                continue
            if key not in self._made:
                finding, self._program.facts = self._finding_of(judged)
                try:
                    self._made[key] = fixes_for(one.rule, finding, self._program)
                except Exception as error:
                    self._made[key] = (), ()
                    failures.append(failure(f"fixes for {one.rule}", error))
            fixes, refusals = self._made[key]
            fixed.append(replace(one, fixes=fixes, refusals=refusals))
        return fixed, failures

    def all_fixed(self, diagnostics: Iterable[Diagnostic]) -> tuple[list[Diagnostic], list[str]]:
        """All of the program's diagnostics, the first `most_fixed` of them with their fixes."""
        left = most_fixed(self._program.text.content)
        tried: list[Diagnostic] = []
        rest: list[Diagnostic] = []
        for one in diagnostics:
            mendable = (one.rule, one.span) in self._judged
            (tried if mendable and len(tried) < left else rest).append(one)
        fixed, failures = self.fixed(tried)
        return [*fixed, *rest], failures


def most_fixed(text: str) -> int:
    """How many findings of a text are tried to be fixed at once: what is offered is tried out on the
    whole text, so that the work for thousands of findings would grow with the square of its size.

    Where some are fixed the next analysis has fixes for others.
    """
    return max(_LEAST_FIXED, _FIXED_CHARACTERS // (len(text) + 1))


_LEAST_FIXED = 20
_FIXED_CHARACTERS = 2_000_000


def _covers_all(seen: list[tuple[Alternative, ...]]) -> bool:
    """Whether something was seen under every one of some alternatives, those inside them included."""
    held: set[tuple[Alternative, ...]] = set(seen)
    for depth in range(max(map(len, held)), 0, -1):
        groups: dict[tuple[tuple[Alternative, ...], int], tuple[set[int], int]] = {}
        for ways in held:
            if len(ways) == depth:
                last = ways[-1]
                groups.setdefault((ways[:-1], last.group), (set(), last.count))[0].add(last.index)
        held.update(
            before for (before, _), (indices, count) in groups.items() if 0 < count == len(indices)
        )
    return () in held


_LOUDNESS: dict[Severity, int] = {"hint": 0, "info": 1, "warning": 2, "error": 3}


def _diagnostic(
    path: str, one: Judged, settings: Settings, texts: Mapping[str, Text], certain: bool
) -> Diagnostic | None:
    severity, message, rule = one.severity, one.message, one.rule
    if severity == "error" and _is_caught(one):
        severity = "hint"
        message = f"caught here: {message}"
    elif not certain:
        severity = "warning" if severity == "error" else "info"
        message = f"on some paths, {message}"
    severity = settings.severity_of(rule.name, severity)
    if severity == "hint" and not settings.hints:
        return None
    related = [Related(place.path, place.span, words) for place, words in one.related]
    place = one.place
    if place.path != path:
        # The mistake shows in another file: say it at the call in this one that leads there.
        own = next((caller for caller in one.callers if caller.path == path), None)
        if own is None:
            return None
        related.insert(0, Related(place.path, place.span, "it happens here", after=True))
        place = own
    elif one.callers and one.callers[0].path == path and one.callers[0] != place:
        related.append(Related(path, one.callers[0].span, "called from here"))
    seen: set[tuple[str, Span]] = {(place.path, place.span)}
    unique = []
    for other in related:
        if (other.path, other.span) not in seen and other.path in texts:
            seen.add((other.path, other.span))
            unique.append(other)
    return Diagnostic(path, rule.name, severity, message, place.span, tuple(unique))


def _is_caught(one: Judged) -> bool:
    caught = one.caught
    return bool(caught) and (
        "*" in caught
        or bool(caught & set(one.rule.raises))
        or bool(caught & {"Exception", "BaseException"})
    )

"""analyse: one frozen snapshot in, everything jaxref knows of it out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from functools import cache
from typing import TYPE_CHECKING

from jaxref.diagnostics.failures import failure
from jaxref.diagnostics.model import Described, Diagnostic, Related, Severity
from jaxref.diagnostics.suppressing import (
    BARE_IGNORE,
    UNUSED_IGNORE,
    with_suppressed_marked,
    without_suppressed,
)
from jaxref.diagnostics.syntax import SYNTAX_ERROR
from jaxref.quick_dataclasses import dataclass, field, replace
from jaxref.relevance import mentions_jax, mentions_refs
from jaxref.settings import Settings
from jaxref.source.parsing import parse
from jaxref.source.text import Span, Text

if TYPE_CHECKING:
    from jaxref.describe import Descriptions
    from jaxref.facts import Alternative, Fact, Place
    from jaxref.fixes.program import Program
    from jaxref.rules.model import Finding, Rule

RECURSION_LIMIT = 12_000
"""Enough for the deepest program the budgets allow; Python's own frames need no C stack."""


@dataclass(frozen=True, slots=True)
class Snapshot:
    """One version of one Python module's text.

    For a Markdown page or a notebook `text` is the module made of its code (see `source.documents`);
    all spans count in `text`. `path` is absolute for files on disk and any stable name otherwise.
    """

    path: str
    text: str
    version: int | None = None
    overlay: Mapping[str, str] = field(default_factory=dict)
    """The texts that open editors have of other files, by absolute path."""
    when_late: Callable[[], None] | None = None
    """None where answers of type inference are awaited. Otherwise what is not known yet is Unknown, and
    this is called, on any thread, when a further analysis would know more."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result for one snapshot. Spans in other files count in `texts[path]`."""

    snapshot: Snapshot
    diagnostics: tuple[Diagnostic, ...] = ()
    incomplete: tuple[str, ...] = ()
    texts: Mapping[str, Text] = field(default_factory=dict)
    dependencies: frozenset[str] = frozenset()
    describe: Callable[[int], Described | None] = lambda offset: None
    described: Callable[[], tuple[Described, ...]] = lambda: ()
    failures: tuple[str, ...] = ()
    """What failed inside jaxref itself, one line each without source text; the rest stands."""
    facts: tuple[Fact, ...] = field(default=(), compare=False, repr=False)
    """All facts of the run, also those in other files, for reading aids."""
    missing: frozenset[str] = frozenset()
    """Paths of the project whose creation could change the result."""
    settled: bool = True
    """False when an answer did not come in time, so that another analysis may know more."""


def analyse(
    snapshot: Snapshot,
    settings: Settings,
    cancel: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Analyse one snapshot.

    Never raises for anything a source text can contain. `cancel` is polled; once it answers True
    `AnalysisCancelled` is raised. `incomplete` says in one line each what was given up and why.
    Diagnostics are sorted by place, suppressed ones are already gone.
    """
    text = Text(snapshot.text)
    if not mentions_jax(snapshot.text):
        return _with_suppressions(Analysis(snapshot, texts={snapshot.path: text}), text, settings)
    from jaxref.resolve.resolver import Resolver

    resolver = Resolver(
        settings,
        wait=snapshot.when_late is None,
        path=snapshot.path,
        overlay=snapshot.overlay,
        when_late=snapshot.when_late,
    )
    if not mentions_refs(snapshot.text) and not resolver.reach.from_text(
        snapshot.text, resolver.path
    ):
        resolver.finish()
        unread = Analysis(
            snapshot, (), (), {snapshot.path: text}, resolver.dependencies, missing=resolver.missing
        )
        return _with_suppressions(unread, text, settings)
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    from jaxref.fixes.program import Program
    from jaxref.interp.machine import Cancelled
    from jaxref.interp.run import run

    tree = parse(snapshot.text).tree
    facts: list[Fact] = []
    try:
        machine = run(snapshot.path, "__main__", text, tree, resolver, facts.append, cancel)
    except Cancelled:
        raise AnalysisCancelled from None
    finally:
        resolver.finish()
    texts = {path: module.text for path, module in machine.modules.items() if module is not None}
    program = Program(snapshot.path, text, tree, facts, resolver.jax_version, machine.seen)
    diagnostics, failures = _judge(program, settings, texts)
    result = Analysis(
        snapshot,
        diagnostics,
        tuple(dict.fromkeys(machine.incomplete)),
        texts,
        resolver.dependencies,
        *_descriptions(program, diagnostics),
        failures=tuple(dict.fromkeys([*machine.failures, *failures])),
        facts=tuple(facts),
        missing=resolver.missing,
        settled=resolver.settled and not resolver.pending,
    )
    return _with_suppressions(result, text, settings)


def _descriptions(
    program: Program, diagnostics: tuple[Diagnostic, ...]
) -> tuple[Callable[[int], Described | None], Callable[[], tuple[Described, ...]]]:
    @cache
    def made() -> Descriptions:
        # Kept for further questions: what it looks up at the first one takes longest.
        from jaxref.describe import Descriptions

        return Descriptions(program.path, program.text, program.seen, program.facts, diagnostics)

    return lambda offset: made().at(offset), lambda: made().all()


# -- from facts to diagnostics ---------------------------------------------------------------------


def _judge(
    program: Program, settings: Settings, texts: Mapping[str, Text]
) -> tuple[tuple[Diagnostic, ...], list[str]]:
    """The findings of all rules on all facts, as diagnostics of the program's own file."""
    from jaxref.fixes.builders import fixes_for
    from jaxref.rules.registry import rules_about

    path, facts, version = program.path, program.facts, program.version

    failures: list[str] = []
    found: dict[tuple[str, Span], Diagnostic] = {}
    behind: dict[tuple[str, Span], Finding] = {}
    under: dict[tuple[str, Place], list[tuple[Alternative, ...]]] = {}
    by_type: dict[type[Fact], list[Rule]] = {}
    rules = [
        rule
        for rule in rules_about({type(fact).__name__ for fact in facts})
        if _enabled(rule, settings)
    ]
    for rule in rules:
        for kind in rule.facts:
            by_type.setdefault(kind, []).append(rule)

    def take(rule: Rule, finding: Finding) -> None:
        ways = finding.fact.site.alternatives
        certain = finding.certain and finding.fact.site.certain
        if ways and certain:
            # What holds under each of the alternatives holds.
            seen = under.setdefault((rule.name, finding.place), [])
            seen.append(ways)
            certain = _covers_all(seen)
        one = _diagnostic(path, rule, finding, settings, texts, certain)
        if one is None:
            return
        key = (one.rule, one.span)
        old = found.get(key)
        if old is None or _LOUDNESS[one.severity] > _LOUDNESS[old.severity]:
            found[key] = one
            behind[key] = finding

    failed: set[str] = set()
    for fact in facts:
        for rule in by_type.get(type(fact), ()):
            if rule.check is None or rule.name in failed:
                continue
            try:
                for finding in rule.check(fact):
                    take(rule, finding)
            except Exception as error:
                # A rule that fails costs only itself.
                failed.add(rule.name)
                failures.append(failure(f"rule {rule.name}", error))
    for rule in rules:
        if rule.review is None:
            continue
        try:
            for finding in rule.review(facts, version):
                take(rule, finding)
        except Exception as error:
            failures.append(failure(f"rule {rule.name}", error))
    # An error that is caught is a hint, and yet JAX raises.
    raising = {rule.name for rule in rules if rule.severity == "error"}
    ended = {
        one.span
        for one in found.values()
        if one.severity == "error" or (one.severity == "hint" and one.rule in raising)
    }
    kept = [
        one
        for one in found.values()
        # Where JAX raises, what it would have kept silent about does not matter.
        if one.rule in raising or one.span not in ended
    ]
    left = max(_LEAST_FIXED, _FIXED_CHARACTERS // (len(program.text.content) + 1))
    for index, one in enumerate(kept):
        finding = behind[one.rule, one.span]
        if one.severity == "hint" or (finding.place.path, finding.place.span) != (path, one.span):
            continue
        left -= 1
        if left < 0:
            break
        try:
            fixes, refusals = fixes_for(one.rule, finding, program)
        except Exception as error:
            failures.append(failure(f"fixes for {one.rule}", error))
        else:
            kept[index] = replace(one, fixes=fixes, refusals=refusals)
    return tuple(sorted(kept, key=lambda one: (one.span, one.rule))), failures


_LEAST_FIXED = 20
_FIXED_CHARACTERS = 2_000_000
"""How many findings of a text get fixes: what is offered is tried out on the whole text, so that the
work for thousands of findings would grow with the square of its size. Where some are fixed the next
analysis has fixes for others."""


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


def _enabled(rule: Rule, settings: Settings) -> bool:
    if (
        not rule.default
        and rule.name not in (settings.select or ())
        and rule.name not in settings.severity
    ):
        return False
    return settings.enabled(rule.name)


def _diagnostic(
    path: str,
    rule: Rule,
    finding: Finding,
    settings: Settings,
    texts: Mapping[str, Text],
    certain: bool,
) -> Diagnostic | None:
    severity = finding.severity or rule.severity
    message = finding.message
    if severity == "error" and _is_caught(rule, finding):
        severity = "hint"
        message = f"caught here: {message}"
    elif not certain:
        severity = "warning" if severity == "error" else "info"
        message = f"on some paths, {message}"
    severity = settings.severity_of(rule.name, severity)
    if severity == "hint" and not settings.hints:
        return None
    related = [Related(place.path, place.span, words) for place, words in finding.related]
    place = finding.place
    callers = list(finding.fact.site.callers)
    if place.path != path:
        # The mistake shows in another file: say it at the call in this one that leads there.
        own = next((caller for caller in callers if caller.path == path), None)
        if own is None:
            return None
        related.insert(0, Related(place.path, place.span, "it happens here", after=True))
        place = own
    elif callers and callers[0].path == path and callers[0] != place:
        related.append(Related(callers[0].path, callers[0].span, "called from here"))
    seen: set[tuple[str, Span]] = {(place.path, place.span)}
    unique = []
    for one in related:
        if (one.path, one.span) not in seen and one.path in texts:
            seen.add((one.path, one.span))
            unique.append(one)
    return Diagnostic(path, rule.name, severity, message, place.span, tuple(unique))


def _is_caught(rule: Rule, finding: Finding) -> bool:
    caught = finding.fact.site.caught
    if not caught:
        return False
    return (
        "*" in caught
        or bool(caught & set(rule.raises))
        or bool(caught & {"Exception", "BaseException"})
    )


# -- suppression -----------------------------------------------------------------------------------


def _with_suppressions(result: Analysis, text: Text, settings: Settings) -> Analysis:
    """The analysis without what its comments silence, and with what is wrong with these comments."""
    if "jaxref:" not in text.content:
        return result
    if not settings.suppressions:
        return replace(result, diagnostics=with_suppressed_marked(text, result.diagnostics))
    from jaxref.rules.registry import rule_names

    def active(rule: str) -> bool:
        named = rule in settings.severity or rule in (settings.select or ())
        if rule == BARE_IGNORE and not named:
            return False
        return settings.enabled(rule) and (rule not in about_comments or shown(rule))

    about_comments = (UNUSED_IGNORE, BARE_IGNORE)

    def shown(rule: str) -> bool:
        return settings.hints or settings.severity_of(rule, "hint") != "hint"

    kept = without_suppressed(
        result.snapshot.path,
        text,
        result.diagnostics,
        rule_names() | {*about_comments, SYNTAX_ERROR},
        active,
        # A statement that is left out because it is broken could be what the comment is for.
        not result.incomplete and not result.failures and not parse(result.snapshot.text).errors,
    )
    return replace(
        result,
        diagnostics=tuple(
            replace(one, severity=settings.severity_of(one.rule, one.severity))
            if one.rule in about_comments
            else one
            for one in kept
        ),
    )


class AnalysisCancelled(Exception):
    """Raised out of `analyse` when its `cancel` answered True."""


__all__ = ["Analysis", "AnalysisCancelled", "Described", "Snapshot", "analyse"]

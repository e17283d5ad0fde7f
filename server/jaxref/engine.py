"""analyse: one frozen snapshot in, everything jaxref knows of it out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from itertools import islice

from jaxref.diagnostics.failures import failure
from jaxref.diagnostics.model import Described, Diagnostic
from jaxref.diagnostics.syntax import SYNTAX_ERROR
from jaxref.quick_dataclasses import dataclass, field, replace
from jaxref.relevance import mentions_jax, mentions_refs
from jaxref.settings import Settings
from jaxref.source.parsing import outlined, parse
from jaxref.source.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import ParamSpec, TypeVar

    from jaxref.describe import Descriptions
    from jaxref.facts import Fact
    from jaxref.interp.parts import Part, Parts
    from jaxref.judging import Judged
    from jaxref.resolve.resolver import Resolver
    from jaxref.reuse import Kept, Reuser
    from jaxref.rules.model import Finding
    from jaxref.source.parsing import Parsed
    from jaxref.source.text import Span

    P = ParamSpec("P")
    T = TypeVar("T")

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
    is_edited: bool = False
    """Whether further versions of the text are to come, which may take over what is known of this one."""
    earlier: Kept | None = field(default=None, compare=False, repr=False)
    """What the analysis of an earlier text of the same file kept, to be taken over."""


@dataclass(frozen=True, slots=True)
class Analysis:
    """The result for one snapshot. Spans in other files count in `texts[path]`.

    What is callable works out more when it is asked, on one thread at a time, and may raise
    `AnalysisCancelled` when the analysis was cancelled since. `fixed` gives diagnostics their fixes and
    says in one line each what failed in making them; diagnostics of texts that are not edited have
    their fixes already. `facts` are those at places within a span, in the order in which they were
    stated; others may be among them, also such in other files.
    """

    snapshot: Snapshot
    diagnostics: tuple[Diagnostic, ...] = ()
    incomplete: tuple[str, ...] = ()
    texts: Mapping[str, Text] = field(default_factory=dict)
    dependencies: frozenset[str] = frozenset()
    describe: Callable[[int], Described | None] = lambda offset: None
    described: Callable[[], tuple[Described, ...]] = lambda: ()
    failures: tuple[str, ...] = ()
    """What failed inside jaxref itself, one line each without source text; the rest stands."""
    facts: Callable[[Span], Sequence[Fact]] = lambda span: ()
    fixed: Callable[[Iterable[Diagnostic]], tuple[list[Diagnostic], list[str]]] = lambda ones: (
        list(ones),
        [],
    )
    missing: frozenset[str] = frozenset()
    """Paths of the project whose creation could change the result."""
    settled: bool = True
    """False when an answer did not come in time, so that another analysis may know more."""
    kept: Kept | None = field(default=None, compare=False, repr=False)
    """What the analysis of an edited text may take over, if any."""


def analyse(
    snapshot: Snapshot,
    settings: Settings,
    cancel: Callable[[], bool] = lambda: False,
) -> Analysis:
    """Analyse one snapshot.

    Never raises for anything a source text can contain. `cancel` is polled; once it answers True
    `AnalysisCancelled` is raised. `incomplete` says in one line each what was given up and why.
    Diagnostics are sorted by place, suppressed ones are already gone. The result is the same with
    `snapshot.earlier` and without.
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
    if _is_of_interest(snapshot, text, resolver):
        result = _evaluated(snapshot, text, settings, resolver, cancel)
    else:
        resolver.finish()
        result = Analysis(
            snapshot,
            texts={snapshot.path: text},
            dependencies=resolver.dependencies,
            missing=resolver.missing,
        )
    return _with_suppressions(result, text, settings)


def _is_of_interest(snapshot: Snapshot, text: Text, resolver: Resolver) -> bool:
    """Whether refs can turn up in a text, as far as that is told without a tree of it."""
    if not mentions_refs(text.content) and not resolver.reach.from_text(
        text.content, resolver.path
    ):
        return False
    if not snapshot.is_edited or snapshot.earlier is not None:
        return True
    # Most edits of a file that is about other things leave it so.
    body = outlined(text.content)
    if body is None:
        return True
    from jaxref.interp.run import is_of_interest

    return is_of_interest(snapshot.path, text, body, resolver)


def _evaluated(
    snapshot: Snapshot,
    text: Text,
    settings: Settings,
    resolver: Resolver,
    cancel: Callable[[], bool],
) -> Analysis:
    """The analysis of a text in which refs can turn up, whatever its comments silence."""
    sys.setrecursionlimit(max(sys.getrecursionlimit(), RECURSION_LIMIT))
    from jaxref.interp.machine import Cancelled

    parsed = parse(snapshot.text)

    def analysed(reuser: Reuser | None) -> Analysis:
        return _run(snapshot, text, parsed, settings, resolver, cancel, reuser)

    try:
        if not snapshot.is_edited:
            return analysed(None)
        from jaxref.reuse import Reuser

        try:
            return analysed(
                Reuser(snapshot.path, text, parsed, resolver, settings, snapshot.earlier)
            )
        except Cancelled:
            raise
        except Exception as error:
            result = analysed(None)
            return replace(
                result, failures=(*result.failures, failure("taking entries over", error))
            )
    except Cancelled:
        raise AnalysisCancelled from None
    finally:
        resolver.finish()


def _run(
    snapshot: Snapshot,
    text: Text,
    parsed: Parsed,
    settings: Settings,
    resolver: Resolver,
    cancel: Callable[[], bool],
    reuser: Reuser | None,
) -> Analysis:
    from jaxref.fixes.program import Program
    from jaxref.interp.parts import Seen
    from jaxref.interp.run import run
    from jaxref.judging import Mender, diagnosed

    path = snapshot.path
    machine, parts = run(path, "__main__", text, parsed.tree, resolver, cancel, reuser)
    if machine.leaks and not all(part.is_made for part in parts.parts):
        # What was taken over would not come to the same any more.
        machine, parts = run(path, "__main__", text, parsed.tree, resolver, cancel)
        reuser = None
    resolver.finish()
    texts = {path: module.text for path, module in machine.modules.items() if module is not None}
    judged, failures = _judged_parts(parts, settings, reuser)
    result = Analysis(
        snapshot,
        (),
        tuple(dict.fromkeys(machine.incomplete)),
        texts,
        resolver.dependencies,
        failures=tuple(dict.fromkeys([*machine.failures, *failures])),
        missing=resolver.missing,
        settled=resolver.settled and not resolver.pending,
    )
    if reuser is not None:
        texts = {**reuser.texts, **texts}
        result = replace(
            result,
            texts=texts,
            dependencies=result.dependencies | reuser.dependencies,
            missing=result.missing | reuser.missing,
            kept=None if failures else reuser.kept(machine, parts, judged, texts),
        )
    found = diagnosed(path, (one for ones in judged.values() for one in ones), settings, texts)
    program = Program(path, text, parsed.tree, (), resolver.jax_version, Seen(parts))
    mender = Mender(found, program, _findings(snapshot, parts, judged, settings))
    diagnostics = [one for one, _ in found]
    if not snapshot.is_edited:
        diagnostics, failed = mender.all_fixed(diagnostics)
        result = replace(result, failures=tuple(dict.fromkeys([*result.failures, *failed])))
    in_order = tuple(sorted(diagnostics, key=lambda one: (one.span, one.rule)))
    describe, described = _descriptions(path, text, parts, in_order)
    return replace(
        result,
        diagnostics=in_order,
        describe=_cancellable(describe),
        described=_cancellable(described),
        facts=_cancellable(lambda span: [f for part in parts.about(span) for f in part.facts]),
        fixed=_cancellable(mender.fixed) if snapshot.is_edited else result.fixed,
    )


def _cancellable(ask: Callable[P, T]) -> Callable[P, T]:
    from jaxref.interp.machine import Cancelled

    def asked(*arguments: P.args, **keywords: P.kwargs) -> T:
        try:
            return ask(*arguments, **keywords)
        except Cancelled:
            raise AnalysisCancelled from None

    return asked


def _judged_parts(
    parts: Parts, settings: Settings, reuser: Reuser | None
) -> tuple[dict[Part, Sequence[Judged]], list[str]]:
    """What the rules hold of each part, in order, and in one line each what failed in them."""
    from jaxref.judging import judge

    by_fact, failures = judge([fact for part in parts.parts for fact in part.facts], settings)
    rest = iter(by_fact)
    judged: dict[Part, Sequence[Judged]] = {}
    for part in parts.parts:
        taken = None if reuser is None else reuser.judged(part)
        made = [one for found in islice(rest, len(part.facts)) for one in found]
        judged[part] = made if taken is None else taken
    return judged, failures


def _findings(
    snapshot: Snapshot, parts: Parts, judged: Mapping[Part, Sequence[Judged]], settings: Settings
) -> Callable[[Judged], tuple[Finding, Sequence[Fact]]]:
    """What gives the finding that something was judged by, and the facts on all that it has to do with."""
    from jaxref.judging import judge

    origins = {id(one): (part, at) for part, ones in judged.items() for at, one in enumerate(ones)}

    @cache
    def facts_on(part: Part) -> Sequence[Fact]:
        akin = parts.akin(part) if snapshot.is_edited else parts.all()
        return [fact for one in akin for fact in one.facts]

    def finding_of(one: Judged) -> tuple[Finding, Sequence[Fact]]:
        part, at = origins[id(one)]
        # Makes the part, too.
        facts = facts_on(part if snapshot.is_edited else parts.parts[0])
        finding = one.finding
        if finding is None:
            by_fact, _ = judge(part.facts, settings)
            finding = [other for found in by_fact for other in found][at].finding
        assert finding is not None
        return finding, facts

    return finding_of


def _descriptions(
    path: str, text: Text, parts: Parts, diagnostics: tuple[Diagnostic, ...]
) -> tuple[Callable[[int], Described | None], Callable[[], tuple[Described, ...]]]:
    @cache
    def made() -> Descriptions:
        # Kept for further questions.
        from jaxref.describe import Descriptions

        return Descriptions(path, text, parts, diagnostics)

    return lambda offset: made().at(offset), lambda: made().all()


# -- suppression -----------------------------------------------------------------------------------


def _with_suppressions(result: Analysis, text: Text, settings: Settings) -> Analysis:
    """The analysis without what its comments silence, and with what is wrong with these comments."""
    if "jaxref:" not in text.content:
        return result
    from jaxref.diagnostics.suppressing import (
        BARE_IGNORE,
        UNUSED_IGNORE,
        with_suppressed_marked,
        without_suppressed,
    )

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

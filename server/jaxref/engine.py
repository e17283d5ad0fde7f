"""analyse: one frozen snapshot in, everything jaxref knows of it out."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from jaxref.diagnostics.model import Described, Diagnostic
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
from jaxref.source.parsing import outlined, parse
from jaxref.source.text import Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.describe import Descriptions
    from jaxref.facts import Fact
    from jaxref.fixes.program import Program
    from jaxref.resolve.resolver import Resolver
    from jaxref.reuse import Kept

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
    """What the analysis of an earlier text of the same file kept. With it only diagnostics are asked for."""


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
    is_whole: bool = True
    """False where only diagnostics are asked for, without their fixes: all else is empty."""
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
    Diagnostics are sorted by place, suppressed ones are already gone. Where `snapshot.earlier` is given
    they are the same, without their fixes, and facts and descriptions are left out.
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
    from jaxref.interp.run import run
    from jaxref.judging import diagnosed, judge

    path, parsed = snapshot.path, parse(snapshot.text)
    facts: list[Fact] = []
    reuser = None
    if snapshot.is_edited:
        from jaxref.reuse import Reuser

        reuser = Reuser(path, text, parsed, resolver, settings, facts, snapshot.earlier)
    try:
        machine = run(path, "__main__", text, parsed.tree, resolver, facts.append, cancel, reuser)
    except Cancelled:
        raise AnalysisCancelled from None
    finally:
        resolver.finish()
    texts = {path: module.text for path, module in machine.modules.items() if module is not None}
    by_fact, failures = judge(facts, settings)
    result = Analysis(
        snapshot,
        (),
        tuple(dict.fromkeys(machine.incomplete)),
        texts,
        resolver.dependencies,
        failures=tuple(dict.fromkeys([*machine.failures, *failures])),
        missing=resolver.missing,
        settled=resolver.settled and not resolver.pending,
        is_whole=snapshot.earlier is None,
    )
    judged = [one for found in by_fact for one in found]
    if reuser is not None:
        judged = reuser.in_order(by_fact)
        texts = {**reuser.texts, **texts}
        result = replace(
            result,
            texts=texts,
            dependencies=result.dependencies | reuser.dependencies,
            missing=result.missing | reuser.missing,
            kept=None if failures else reuser.kept(machine, by_fact, texts),
        )
    found = diagnosed(path, judged, settings, texts)
    if not result.is_whole:
        return replace(result, diagnostics=_in_order(one for one, _ in found))
    from jaxref.fixes.program import Program
    from jaxref.judging import with_fixes

    program = Program(path, text, parsed.tree, facts, resolver.jax_version, machine.seen)
    fixed, failed = with_fixes(found, program)
    diagnostics = _in_order(fixed)
    describe, described = _descriptions(program, diagnostics)
    return replace(
        result,
        diagnostics=diagnostics,
        describe=describe,
        described=described,
        failures=tuple(dict.fromkeys([*result.failures, *failed])),
        facts=tuple(facts),
    )


def _in_order(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return tuple(sorted(diagnostics, key=lambda one: (one.span, one.rule)))


def _descriptions(
    program: Program, diagnostics: tuple[Diagnostic, ...]
) -> tuple[Callable[[int], Described | None], Callable[[], tuple[Described, ...]]]:
    @cache
    def made() -> Descriptions:
        # Kept for further questions: what it looks up at the first one takes longest.
        from jaxref.describe import Descriptions

        return Descriptions(program.path, program.text, program.seen, program.facts, diagnostics)

    return lambda offset: made().at(offset), lambda: made().all()


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

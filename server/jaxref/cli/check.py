"""`jaxref check`."""

from __future__ import annotations

import io
import os
import sys
import time
from collections.abc import Iterator, Sequence

from jaxref.cli.choices import Choices, complain, kinds_of, overrides_of
from jaxref.cli.contradictions import contradiction
from jaxref.cli.deep import on_big_stack
from jaxref.cli.loading import Checked, kept_result, standard_input
from jaxref.cli.output import AT_ONCE, counted, rendered, statistics, style_for, summary
from jaxref.cli.stopping import go_on
from jaxref.cli.workers import Outcome, Request, outcome_of, outcomes, process_count, stop
from jaxref.diagnostics.model import SEVERITIES, Severity
from jaxref.diagnostics.report import INTERNAL_ERROR, Finding, failure_of
from jaxref.quick_dataclasses import dataclass, field, replace
from jaxref.targets import STANDARD_INPUT, Target, targets

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse

    from jaxref.cli.baseline import Baseline
    from jaxref.cli.fixing import Fixing

NOTHING, FOUND, FAILED = 0, 1, 2


def check(options: argparse.Namespace) -> int:
    """Run the command. Returns its exit code."""
    problem = contradiction(options)
    if problem is not None:
        complain(f"error: {problem}")
        return FAILED
    if options.watch:
        from jaxref.cli.watching import watch

        def once() -> frozenset[str]:
            run = _Run(options)
            on_big_stack(run.code, stop)
            return frozenset(path for checked in run.checked for path in checked.others)

        watch(options, once)
    return on_big_stack(lambda: _Run(options).code(), stop)


@dataclass
class _Run:
    """One run over all targets."""

    options: argparse.Namespace
    failed: bool = False
    crashed: bool = False
    reused: int = 0
    baseline: Baseline | None = None
    checked: list[Checked] = field(default_factory=list)
    found: list[tuple[str, tuple[Finding, ...]]] = field(default_factory=list)
    """What was found in each file, known findings included."""
    seen_files: list[Target] = field(default_factory=list)
    problems: list[tuple[str, str]] = field(default_factory=list)
    """What could not be done as asked: a path and the reason."""

    def __post_init__(self) -> None:
        options = self.options
        self.request = Request(
            overrides_of(options),
            options.config,
            options.isolated,
            suppressions=not options.ignore_suppressions,
            keep=not options.no_cache,
        )
        self.choices = Choices(
            self.request.overrides,
            self.request.config,
            self.request.isolated,
            suppressions=self.request.suppressions,
        )
        self.fixing = options.fix or options.fix_only or options.diff or options.add_ignore
        self.from_input = STANDARD_INPUT in options.paths
        # With --fix the text that came by standard input goes to standard output.
        self.out = sys.stderr if self.from_input and self.fixing else sys.stdout
        self.style = style_for(options.color, self.out)
        self.failing = _severities_from(options.fail_on)
        self.kinds = kinds_of(options)
        silenced = self.failing or _severities_from("warning")
        self.fixes: Fixing | None = None
        if self.fixing:
            from jaxref.cli.fixing import Fixing

            self.fixes = Fixing(options, self.choices, silenced, self._fail)

    def code(self) -> int:
        """Check all, write all, and say how it went."""
        started = time.perf_counter()
        options = self.options
        if options.show_settings:
            return self._show_settings()
        if options.show_files:
            for target in self._targets():
                print(target.shown)
            return FAILED if self.failed or self.choices.failed else NOTHING
        if (options.baseline or options.write_baseline) and not self._load_baseline():
            return FAILED
        if options.output_file is None:
            self._check_all()
        elif not self._check_all_into(options.output_file):
            return FAILED
        if self.crashed and not options.verbose:
            complain("please report the internal error with the output of --verbose")
        if options.verbose:
            seconds = time.perf_counter() - started
            known = f", {self.reused} as before" if self.reused else ""
            complain(f"checked {counted(len(self.seen_files), 'file')}{known} in {seconds:.2f} s")
        return self._exit_code()

    def _show_settings(self) -> int:
        from jaxref.cli.config import shown_settings

        given = (self.options.paths or ["."])[0]
        path = os.path.abspath(given)
        if self.from_input:
            path = standard_input(self.options.stdin_filename).path
        elif not os.path.exists(path):
            complain(f"error: {given}: no such file or folder")
            return FAILED
        print(shown_settings(path, self.choices, self.options.output_format == "json"))
        return FAILED if self.choices.failed else NOTHING

    def _check_all_into(self, path: str) -> bool:
        """Check all and write what there is to say into a file, in one step at the end."""
        folder = os.path.dirname(os.path.abspath(path))
        reason = "" if os.path.isdir(folder) else f"no such folder: {folder}"
        if not reason:
            self.out = sink = io.StringIO()
            self.style = style_for("never", sink)
            self._check_all()
            from jaxref.cli.writing import write_output

            try:
                write_output(path, sink.getvalue())
            except OSError as error:
                reason = _reason(error)
        if reason:
            complain(f"error: --output-file: {path}: {reason}")
        return not reason

    def _check_all(self) -> None:
        options = self.options
        at_once = options.output_format in AT_ONCE and not options.statistics
        quiet_findings = options.diff or options.fix_only or options.write_baseline
        for outcome in self._outcomes():
            checked = self._taken(outcome)
            if checked is None:
                continue
            path = checked.target.path
            if outcome.failure is None:
                self.found.append((path, checked.findings))
            if self.baseline is not None and options.write_baseline is None:
                checked = replace(checked, findings=self.baseline.new(checked.findings, path))
            self.checked.append(checked)
            if options.verbose:
                for line in checked.incomplete:
                    complain(f"{checked.target.shown}: analysed in part: {line}")
            if at_once and checked.findings and not quiet_findings:
                self.out.write(rendered(checked.findings, options.output_format, self.style))
        if options.write_baseline is not None:
            self._write_baseline()
        elif self.baseline is not None and not options.quiet:
            self._tell_stale(self.baseline)
        if options.show_fixes:
            told_here = options.output_format == "full" and not options.diff
            told = "" if self.fixes is None else self.fixes.told()
            (self.out if told_here else sys.stderr).write(told)
        if quiet_findings:
            return
        findings = self._findings()
        if options.statistics:
            self.out.write(statistics(findings, options.output_format))
        elif not at_once:
            files = [target.shown for target in self.seen_files]
            self.out.write(
                rendered(findings, options.output_format, self.style, files, self.problems)
            )
        if options.output_format == "full" and not options.quiet:
            all_found = [finding for _, found in self.found for finding in found]
            passed_over = _of_the_code(all_found) - _of_the_code(findings)
            done = {"passed over": passed_over}
            if self.fixes is not None:
                done = {"fixed": self.fixes.fixed, "ignored": self.fixes.ignored, **done}
            self.out.write(summary(findings, len(self.checked), done, self.style))

    def _load_baseline(self) -> bool:
        from jaxref.cli.baseline import BadBaseline, Baseline, baseline_at

        path = self.options.baseline or self.options.write_baseline
        try:
            self.baseline = baseline_at(path)
        except FileNotFoundError:
            if self.options.baseline is not None:
                complain(f"error: {path}: no such file; write it with --write-baseline")
                return False
            self.baseline = Baseline(os.path.abspath(path))
        except BadBaseline as error:
            complain(f"error: {path}: {error}")
            return False
        except OSError as error:
            complain(f"error: {path}: {_reason(error)}")
            return False
        return True

    def _write_baseline(self) -> None:
        assert self.baseline is not None
        name = self.options.write_baseline
        if self.failed or self.choices.failed:
            complain(f"error: {name}: not written, not everything could be checked")
            return
        severities = self.failing or _severities_from("warning")
        baseline = self.baseline.replaced(
            [
                (path, [finding for finding in found if finding.severity in severities])
                for path, found in self.found
            ]
        )
        try:
            baseline.write()
        except OSError as error:
            self._fail(name, _reason(error))
            return
        if not self.options.quiet:
            complain(f"{name} holds {counted(len(baseline.known), 'finding')} now")

    def _tell_stale(self, baseline: Baseline) -> None:
        partly = {checked.target.path for checked in self.checked if checked.incomplete}

        def is_expected(path: str, rule: str) -> bool:
            return path not in partly and self.choices.of_file(path).enabled(rule)

        stale = baseline.stale(self.found, is_expected)
        for one in stale:
            complain(f"not found any more: {one.path}: [{one.rule}] {one.message}")
        if stale:
            complain(f"run with --write-baseline {self.options.baseline} to forget what is gone")

    def _targets(self) -> Iterator[Target]:
        options = self.options
        if self.from_input:
            yield standard_input(options.stdin_filename, self.kinds)
            return
        yield from targets(
            options.paths or ["."],
            self.choices.of_folder,
            self._fail,
            options.force_exclude,
            self.kinds,
        )

    def _outcomes(self) -> Iterator[Outcome]:
        """Check all targets, by several processes where that pays."""
        if self.fixes is not None or self.from_input:
            for target in self._targets():
                go_on()
                self.seen_files.append(target)
                if self.fixes is not None:
                    yield self.fixes.outcome(target)
                else:
                    yield outcome_of(target, self.choices)
            return
        self.seen_files = list(self._targets())
        if not self.request.keep:
            yield from self._analysed(self.seen_files)
            return
        from jaxref.cli.cache import Cache, cache_folder

        cache = Cache(cache_folder(self.options.cache_dir))
        known = {}
        for target in self.seen_files:
            checked = kept_result(target, self.choices.of_file, cache)
            if checked is not None:
                known[target] = checked
        self.reused = len(known)
        analysed = self._analysed([target for target in self.seen_files if target not in known])
        try:
            for target in self.seen_files:
                if target in known:
                    yield Outcome(target, known[target])
                    continue
                outcome = next(analysed)
                if outcome.checked is not None and outcome.checked.kept is not None:
                    cache.put(target.path, outcome.checked.kept)
                yield outcome
        finally:
            cache.save()

    def _analysed(self, chosen: Sequence[Target]) -> Iterator[Outcome]:
        """The outcome for each of the targets, in order."""
        from jaxref.resolve.files import LookingOnce

        processes = 1 if self.options.jobs == 1 else process_count(self.options.jobs, len(chosen))
        if processes > 1:
            yield from outcomes(chosen, self.request, processes)
            return
        with LookingOnce():
            for target in chosen:
                go_on()
                yield outcome_of(target, self.choices, self.request.keep)

    def _taken(self, outcome: Outcome) -> Checked | None:
        """What was found, after telling what went wrong. What failed inside is a finding, too."""
        for mistake in outcome.mistakes:
            self.choices.tell(mistake)
        if outcome.trace and self.options.verbose:
            print(outcome.trace, end="", file=sys.stderr)
        target, checked = outcome.target, outcome.checked
        failures = [] if checked is None else list(checked.failures)
        if outcome.failure is not None:
            self._fail(target.shown, outcome.failure)
        for line in failures:
            self._fail(target.shown, f"internal error: {line}")
        if outcome.trace and outcome.failure is not None:
            failures.append(outcome.failure)
        if failures:
            self.crashed = True
            findings = () if checked is None else checked.findings
            added = tuple(failure_of(target.shown, line) for line in failures)
            checked = replace(checked or Checked(target, ()), findings=(*added, *findings))
        return checked

    def _fail(self, name: str, message: str) -> None:
        self.failed = True
        self.problems.append((name, message))
        complain(f"error: {name}: {message}")

    def _findings(self) -> list[Finding]:
        return [finding for checked in self.checked for finding in checked.findings]

    def _exit_code(self) -> int:
        options = self.options
        if self.failed or self.choices.failed:
            return FAILED
        if options.write_baseline is not None:
            return NOTHING
        if options.exit_zero or options.fail_on == "never":
            return NOTHING
        if options.diff:
            return FOUND if self.fixes is not None and self.fixes.would_change else NOTHING
        failing = any(finding.severity in self.failing for finding in self._findings())
        fixed = self.fixes is not None and self.fixes.fixed
        if failing or (options.exit_non_zero_on_fix and fixed):
            return FOUND
        return NOTHING


def _of_the_code(findings: Sequence[Finding]) -> int:
    """How many of the findings say something of the code and not of jaxref."""
    return sum(finding.rule != INTERNAL_ERROR for finding in findings)


def _severities_from(least: str) -> frozenset[Severity]:
    """The severities from the loudest to `least`; none for `never`."""
    at = next((index for index, severity in enumerate(SEVERITIES) if severity == least), -1)
    return frozenset(SEVERITIES[: at + 1])


def _reason(error: OSError) -> str:
    return (error.strerror or str(error)).lower()

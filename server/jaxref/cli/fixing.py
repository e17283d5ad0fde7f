"""Files changed by `jaxref check`: by fixes, and by comments that silence findings."""

from __future__ import annotations

import sys
from collections import Counter
from collections.abc import Callable

from jaxref.cli.checking import check_content, fix_content, silence_content
from jaxref.cli.choices import Choices, complain
from jaxref.cli.loading import Checked, Loaded, load
from jaxref.cli.output import style_for
from jaxref.cli.workers import Outcome, crash
from jaxref.cli.writing import unified_diff, write_back
from jaxref.diagnostics.model import Severity
from jaxref.fixes.model import Applicability
from jaxref.quick_dataclasses import dataclass, field
from jaxref.settings import Settings
from jaxref.source.reading import Unreadable
from jaxref.targets import Target

TYPE_CHECKING = False
if TYPE_CHECKING:
    import argparse


@dataclass
class Fixing:
    """Changes files as the options say, and counts what was done. `fail` takes a path and why it was
    not written, `silenced` are the severities that --add-ignore silences."""

    options: argparse.Namespace
    choices: Choices
    silenced: frozenset[Severity]
    fail: Callable[[str, str], None]
    fixed: int = 0
    ignored: int = 0
    would_change: int = 0
    applied: dict[str, Counter[tuple[str, str]]] = field(default_factory=dict)
    """How often each fix, by rule and title, was applied to each file."""

    def outcome(self, target: Target) -> Outcome:
        """Change one file and check what it is then. Raises `OSError` when that cannot be shown."""
        try:
            loaded = load(target)
            settings = self.choices.of_file(target.path)
            text, applied, ignored = self._changed(loaded, settings)
        except Unreadable as error:
            return Outcome(target, failure=str(error))
        except Exception as error:
            return crash(target, error)
        if self.options.diff:
            self._show(loaded, text)
        elif target.given:
            sys.stdout.flush()
            sys.stdout.buffer.write(loaded.file.encode(text))
            sys.stdout.buffer.flush()
        elif text != loaded.file.content:
            problem = write_back(loaded, text)
            if problem is not None:
                self.fail(target.shown, f"not written: {problem}")
                text, applied, ignored = loaded.file.content, Counter(), 0
        self.fixed += applied.total()
        self.ignored += ignored
        if applied:
            self.applied[target.shown] = applied
        if self.options.diff or self.options.fix_only:
            return Outcome(target, Checked(target, ()))
        try:
            return Outcome(target, check_content(loaded, text, settings, target.shown))
        except Exception as error:
            return crash(target, error)

    def _changed(
        self, loaded: Loaded, settings: Settings
    ) -> tuple[str, Counter[tuple[str, str]], int]:
        """The text of the file with what the options ask for, the fixes in it, and how many findings
        comments silence in it that none silenced before."""
        options = self.options
        name = loaded.target.shown
        text = loaded.file.content
        applied: Counter[tuple[str, str]] = Counter()
        ignored = 0
        if options.fix or options.fix_only or not options.add_ignore:
            allowed: frozenset[Applicability] = frozenset(["safe"])
            if options.unsafe_fixes:
                allowed |= {"unsafe"}
            fixed = fix_content(loaded, settings, allowed)
            for rejected in fixed.rejected:
                complain(f"{name}: a fix was left out, the file does not parse with it: {rejected}")
            text, applied = fixed.text, Counter(fixed.applied)
        if options.add_ignore:
            text, ignored = silence_content(loaded, text, settings, self.silenced)
        return text, applied, ignored

    def _show(self, loaded: Loaded, text: str) -> None:
        """Print the difference."""
        if text != loaded.file.content:
            self.would_change += 1
            style = style_for(self.options.color, sys.stdout)
            name = loaded.target.shown
            sys.stdout.write(unified_diff(loaded.file.content, text, name, style))

    def told(self) -> str:
        """What was fixed, or would be, by file: a line a fix."""
        verb = "would be fixed" if self.options.diff else "fixed"
        lines = []
        for name, fixes in self.applied.items():
            lines.append(f"{verb} in {name}:\n")
            lines += [f"  {count} x {rule}: {title}\n" for (rule, title), count in fixes.items()]
        return "".join(lines)

"""Whether jaxref's verdict on a program is JAX's."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal

from generator.programs import Program
from harness.oracle import Run, Statement
from jaxref.diagnostics.model import Diagnostic
from jaxref.engine import Analysis, Snapshot, analyse
from jaxref.settings import Settings
from jaxref.source.text import Span, Text

LONGEST_SPAN = 15
"""Lines. A longer span covers everything and says nothing."""

SILENT_RULES = frozenset(
    {
        "aliased-vjp-primals", "array-as-gradient-ref", "bound-vjp-reused", "checkpoint-impure",
        "gradient-ref-aliases-primal", "gradient-ref-not-fresh", "jit-closed-over-ref-rebound",
        "placeholder-as-gradient", "ref-alias-copy", "ref-compared", "ref-index", "ref-of-ref",
        "ref-truthiness", "shared-gradient-ref", "stale-gradient-ref", "unapplied-with-refs",
        "uninstantiated-sentinel", "write-after-freeze",
    }
)  # fmt: skip
"""Rules that may warn of a program that runs: its result is not what was meant."""

NOT_OURS = re.compile(
    r"dot_general requires|matmul input operand|Incompatible shapes|incompatible shapes"
    r"|must have the same number of dimensions|cannot reshape|Gradient only defined for scalar"
    r"|carry input and carry output must have equal types|branches must have equal output types"
    r"|<lambda>\(\) takes \d+ positional"
)
"""Words of exceptions that are about arrays, in programs that the grammar got wrong."""

Kind = Literal[
    "agreed: runs", "agreed: raises", "missed", "elsewhere", "invented", "not ours", "crashed"
]


@dataclass(frozen=True, slots=True)
class Verdict:
    """`subject` tells apart the kinds of disagreement: a rule's name, or words of an exception."""

    program: Program
    kind: Kind
    subject: str = ""
    line: int = 0

    @property
    def agreed(self) -> bool:
        """False for a disagreement."""
        return self.kind in ("agreed: runs", "agreed: raises", "not ours")


def analysed(program: Program) -> Analysis:
    """What jaxref says of a program under JAX 0.12, as if it stood alone on disk."""
    name = f"/generated/seed_{program.seed}.py"
    return analyse(Snapshot(name, program.text), Settings(jax_version=(0, 12, 0, 1)))


def judge(program: Program, run: Run, analysis: Analysis) -> Verdict:
    """Compare the first exception with the errors found, and the errors with what ran."""
    text = Text(program.text)
    if run.crashed is not None:
        return Verdict(program, "crashed", run.crashed)
    errors = [d for d in analysis.diagnostics if d.severity == "error"]
    for d in analysis.diagnostics:
        if d.severity == "warning" and d.rule not in SILENT_RULES and not run.raised:
            return Verdict(program, "invented", f"{d.rule} (warning)", _line(text, d))
    first = run.raised[0] if run.raised else None
    if first is not None and NOT_OURS.search(first.message) and "Ref{" not in first.message:
        return Verdict(program, "not ours", _words(first))
    extra = [d for d in errors if not any(_covers(text, d, s.raised_at) for s in run.raised)]
    if first is not None and not any(_covers(text, d, first.raised_at) for d in errors):
        found = f" (found: {extra[0].rule} at {_line(text, extra[0])})" if extra else ""
        kind: Kind = "elsewhere" if extra else "missed"
        return Verdict(program, kind, _words(first) + found, first.raised_at)
    for d in extra:
        line = _line(text, d)
        places = [d.span, *(r.span for r in d.related if r.path == d.path)]
        lines = [text.position(span.start).line for span in places]
        if not any(_unreached(program, run, place) for place in lines):
            return Verdict(program, "invented", d.rule, line)
    return Verdict(program, "agreed: raises" if run.raised else "agreed: runs")


def _unreached(program: Program, run: Run, line: int) -> bool:
    """Whether a line was not run because of an exception before it."""
    for s in run.statements:
        if s.line <= line <= s.end and s.outcome == "unreached":
            return True
    for s in run.raised:
        if s.line <= line <= s.end and line > s.raised_at:
            return True
        # In a function: what comes after the line that raised.
        inside = next((f for f in run.statements if f.line <= s.raised_at <= f.end), None)
        if inside is not None and s.raised_at < line <= inside.end:
            return True
    return False


def _words(statement: Statement) -> str:
    """An exception with everything left out that differs from program to program."""
    message = statement.message.strip().split("\n")[0]
    message = re.sub(r"(function|of) \S+ (at|traced)", r"\1 F \2", message)
    message = re.sub(r"at /\S+|program\.py\S*", "", message)
    message = re.sub(r"(Ref\{)?\b(float32|int32|bfloat16|float0)\[[\d,]*\]\}?", "TYPE", message)
    message = re.sub(r"0x[0-9a-f]+|\d+", "N", message)
    message = re.sub(r"args\S+", "args", message)
    return f"{statement.exception}: {message[:110]}"


def _line(text: Text, d: Diagnostic) -> int:
    return text.position(d.span.start).line


def _covers(text: Text, d: Diagnostic, line: int) -> bool:
    def has(span: Span) -> bool:
        start, end = text.position(span.start).line, text.position(span.end).line
        return start <= line <= end and end - start <= LONGEST_SPAN

    return has(d.span) or any(has(r.span) for r in d.related if r.path == d.path)

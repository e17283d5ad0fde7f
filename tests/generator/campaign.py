"""Run many generated programs under JAX and compare: `python tests/generator/campaign.py 5000`.

Prints how many agree and the disagreements by kind, each kind with the seeds that show it; `--show N`
prints the program of seed N with both verdicts. JAX's answers are kept in `--keep FOLDER`.
"""

from __future__ import annotations

import argparse
import os
import sys
import tempfile
import time
from collections import Counter, defaultdict
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS.parent / "server")]

from generator.judging import Verdict, analysed, judge  # noqa: E402
from generator.programs import Program, generate  # noqa: E402
from harness.oracle import Oracle, Run  # noqa: E402
from jaxref.source.text import Text  # noqa: E402

BATCH = 200


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("count", type=int, nargs="?", default=5000)
    parser.add_argument("--start", type=int, default=0, help="the first seed")
    parser.add_argument("--keep", type=Path, help="folder for JAX's answers")
    parser.add_argument("--show", type=int, nargs="*", default=[], help="seeds to print")
    parser.add_argument("--parallel", type=int, default=2, help="forks at a time")
    parser.add_argument("--seeds", type=int, default=8, help="how many seeds of each kind to print")
    options = parser.parse_args()
    hasten()
    oracle = Oracle(parallel=options.parallel)
    if options.keep is not None:
        options.keep.mkdir(parents=True, exist_ok=True)
        oracle.keep_in(options.keep)
    for seed in options.show:
        show(generate(seed), oracle)
    if options.show:
        return
    began = time.monotonic()
    verdicts: list[Verdict] = []
    for first in range(options.start, options.start + options.count, BATCH):
        last = min(first + BATCH, options.start + options.count)
        programs = [generate(seed) for seed in range(first, last)]
        tickets = [oracle.ask(program.text) for program in programs]
        for program, ticket in zip(programs, tickets, strict=True):
            verdicts.append(judge(program, oracle.answer(ticket), analysed(program)))
        print(f"{len(verdicts)} programs", file=sys.stderr, flush=True)
    report(verdicts, options.seeds)
    print(f"{time.monotonic() - began:.0f} s under JAX {oracle.jax}")


def hasten() -> None:
    """Let the oracle's forks share what XLA compiled, and compile for speed of compiling."""
    os.environ["JAX_DISABLE_MOST_OPTIMIZATIONS"] = "1"
    os.environ.setdefault(
        "JAX_COMPILATION_CACHE_DIR", os.path.join(tempfile.gettempdir(), "generated-programs-xla")
    )
    os.environ["JAX_PERSISTENT_CACHE_MIN_COMPILE_TIME_SECS"] = "0"
    os.environ["JAX_PERSISTENT_CACHE_MIN_ENTRY_SIZE_BYTES"] = "-1"


def report(verdicts: list[Verdict], seeds: int) -> None:
    """The numbers, and the disagreements by kind, the frequent ones first."""
    for kind, count in Counter(v.kind for v in verdicts).most_common():
        print(f"{count:6d}  {kind}")
    kinds: dict[tuple[str, str, str], list[int]] = defaultdict(list)
    for v in verdicts:
        if v.kind not in ("agreed: runs", "agreed: raises"):
            kinds[v.kind, v.subject, v.program.mistake or "no mistake"].append(v.program.seed)
    for (kind, subject, mistake), found in sorted(
        kinds.items(), key=lambda one: (one[0][0], -len(one[1]))
    ):
        print(f"{len(found):5d}  {kind}: {subject}  [{mistake}]  {found[:seeds]}")
    settled = [v for v in verdicts if v.kind not in ("not ours", "crashed")]
    agreed = sum(v.agreed for v in settled)
    print(f"{agreed} of {len(settled)} verdicts agree, {len(settled) - agreed} do not")


def show(program: Program, oracle: Oracle) -> None:
    """A program with what JAX and jaxref say of its lines."""
    run: Run = oracle.run(program.text)
    analysis = analysed(program)
    text = Text(program.text)
    words: dict[int, list[str]] = defaultdict(list)
    for s in run.raised:
        words[s.raised_at].append(f"JAX: {s.exception}: {' '.join(s.message.split())[:260]}")
    for d in analysis.diagnostics:
        words[text.position(d.span.start).line].append(
            f"{d.severity}: [{d.rule}] {d.message[:160]}"
        )
    verdict = judge(program, run, analysis)
    print(
        f"===== seed {program.seed}, mistake: {program.mistake}, {verdict.kind} {verdict.subject}"
    )
    for number, line in enumerate(program.text.splitlines(), 1):
        print(f"{number:3d}  {line}")
        for said in words[number]:
            print(f"       ^ {said}")


if __name__ == "__main__":
    main()

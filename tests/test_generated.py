"""A sample of random programs: jaxref finds what JAX raises, and nothing in what runs.

`generator/campaign.py` runs as many as one likes; docs/accuracy.md has the numbers of the last time.
"""

from __future__ import annotations

import ast
import os

import pytest

from generator.campaign import hasten
from generator.judging import Verdict, analysed, judge
from generator.programs import MORE_FROM, generate
from harness.oracle import Oracle, OracleMissing

SEEDS = (*range(100), *range(MORE_FROM, MORE_FROM + 50))

KNOWN: dict[int, str] = {}
"""Seeds whose verdicts are known to differ, with the reason."""


@pytest.fixture(scope="module")
def verdicts() -> dict[int, Verdict]:
    """All seeds' verdicts; JAX runs the programs side by side, two at a time."""
    before = dict(os.environ)
    hasten()
    try:
        oracle = Oracle()
    except OracleMissing as reason:
        pytest.skip(f"JAX cannot be imported: {reason}")
    finally:
        os.environ.clear()
        os.environ.update(before)
    if tuple(map(int, oracle.jax.split(".")[:2])) < (0, 12):
        oracle.close()
        pytest.skip(f"the grammar is that of JAX 0.12, this is {oracle.jax}")
    programs = [generate(seed) for seed in SEEDS]
    tickets = [oracle.ask(program.text) for program in programs]
    judged = {
        program.seed: judge(program, oracle.answer(ticket), analysed(program))
        for program, ticket in zip(programs, tickets, strict=True)
    }
    oracle.close()
    return judged


@pytest.mark.parametrize("seed", SEEDS)
def test_same_verdict(seed: int, verdicts: dict[int, Verdict]) -> None:
    verdict = verdicts[seed]
    if seed in KNOWN:
        assert not verdict.agreed, f"seed {seed} agrees now: take it off the list"
    elif not verdict.agreed:
        words = f"{verdict.kind}: {verdict.subject} (line {verdict.line})"
        pytest.fail(f"{words}\n{verdict.program.text}", pytrace=False)


def test_the_sample_tells_both_apart(verdicts: dict[int, Verdict]) -> None:
    kinds = [verdict.kind for verdict in verdicts.values()]
    assert kinds.count("agreed: runs") > len(SEEDS) // 3
    assert kinds.count("agreed: raises") > len(SEEDS) // 5


def test_a_seed_always_gives_the_same_program() -> None:
    for seed in range(50):
        first, second = generate(seed), generate(seed)
        assert first == second
        ast.parse(first.text)


def test_most_programs_are_meant_to_be_correct() -> None:
    wrong = sum(generate(seed).mistake is not None for seed in range(400))
    assert 0.3 < wrong / 400 < 0.5


def test_a_verdict_that_is_missing_is_noticed(verdicts: dict[int, Verdict]) -> None:
    """The comparison itself: with jaxref's findings taken away, what raises counts as missed."""
    from dataclasses import replace

    from harness.oracle import Run, Statement

    program = next(v.program for v in verdicts.values() if v.kind == "agreed: raises")
    analysis = analysed(program)
    line = len(program.text.splitlines())
    raised = Run((Statement(line, line, "raised", "ValueError", "no", line),), ())
    ran = Run((Statement(1, line, "ran"),), ())
    assert judge(program, raised, replace(analysis, diagnostics=())).kind == "missed"
    assert judge(program, ran, analysis).kind == "invented"

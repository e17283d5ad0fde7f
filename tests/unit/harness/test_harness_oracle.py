"""The oracle reports what programs really do, one by one and each in its own world."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from harness.oracle import Claim, Oracle, OracleMissing


@pytest.fixture(scope="module")
def jax() -> Iterator[Oracle]:
    try:
        oracle = Oracle()
    except OracleMissing as missing:
        pytest.skip(f"no JAX to ask: {missing}")
    yield oracle
    oracle.close()


def test_a_statement_that_raises_does_not_stop_the_next(jax: Oracle) -> None:
    run = jax.run("x = 1\ny = x / 0\nz = x + 1\nassert z == 2\n")
    assert [s.outcome for s in run.statements] == ["ran", "raised", "ran", "ran"]
    (raised,) = run.raised
    assert (raised.exception, raised.message, raised.raised_at) == (
        "ZeroDivisionError",
        "division by zero",
        2,
    )
    assert run.crashed is None


def test_the_innermost_line_of_the_program_is_reported(jax: Oracle) -> None:
    program = (
        "import jax\n"
        "\n"
        "def f(r):\n"
        "    return jax.numpy.sin(\n"
        "        r)\n"
        "\n"
        "out = jax.jit(f)(\n"
        "    jax.new_ref(1.0))\n"
    )
    (raised,) = jax.run(program).raised
    assert (raised.exception, raised.line, raised.end, raised.raised_at) == ("TypeError", 7, 8, 4)


def test_what_only_lacks_a_name_is_not_reached(jax: Oracle) -> None:
    program = "a, b = 1 / 0, 2\nc = a + 1\nd = c + b\nprint(undefined)\n"
    run = jax.run(program)
    assert [s.outcome for s in run.statements] == ["raised", "unreached", "unreached", "raised"]
    assert run.raised[1].exception == "NameError"


def test_a_name_that_is_still_bound_is_reached(jax: Oracle) -> None:
    run = jax.run("a = 1\na = 1 / 0\nb = a\n")
    assert [s.outcome for s in run.statements] == ["ran", "raised", "ran"]


def test_claims_are_examined_after_their_statement(jax: Oracle) -> None:
    program = (
        "import jax\nr = jax.new_ref(1.0)\nfor _ in range(2):\n    r[...] += 1\nr[...] = 9.0\n"
    )
    claims = [Claim(4, "r", "3.0"), Claim(4, "r[...]", "2.0"), Claim(5, "gone", "1")]
    right, wrong, failed = jax.run(program, claims).claims
    assert (right.same, right.failed) == (True, "")
    assert (wrong.same, wrong.failed) == (False, "")
    assert failed.failed.startswith("NameError")


@pytest.mark.parametrize(
    ("value", "meant", "same"),
    [
        ("[1.0, (2, 3)]", "(1, [2, 3])", True),
        ("{'a': jax.numpy.ones(2)}", "{'a': [1.0, 1.0]}", True),
        ("{'a': 1}", "{'b': 1}", False),
        ("jax.numpy.ones(2)", "jax.numpy.ones(3)", False),
        ("[1, 2]", "[1, 2, 3]", False),
        ("jax.numpy.float32(0.1)", "0.1", True),
        ("float('nan')", "0.0", False),
        ("'a'", "'a'", True),
        ("None", "0", False),
    ],
)
def test_equality_as_people_mean_it(jax: Oracle, value: str, meant: str, same: bool) -> None:
    (checked,) = jax.run("import jax\n", [Claim(1, value, meant)]).claims
    assert (checked.same, checked.failed) == (same, "")


def test_programs_do_not_see_each_other(jax: Oracle) -> None:
    first = jax.ask("import jax\njax.config.update('jax_enable_x64', True)\nleft = 1\n")
    second = jax.ask(
        "import jax.numpy as jnp\nassert jnp.ones(1).dtype == 'float32'\nassert 'left' not in globals()\n"
    )
    assert jax.answer(second).raised == ()
    assert jax.answer(first).raised == ()


def test_main_guards_dataclasses_futures_and_sources_work(jax: Oracle) -> None:
    program = (
        "from __future__ import annotations\n"
        "import dataclasses, inspect\n"
        "@dataclasses.dataclass\n"
        "class Point:\n"
        "    x: Unknown = 1\n"
        "assert 'class Point' in inspect.getsource(Point)\n"
        "seen = __name__ == '__main__'\n"
        "assert seen\n"
    )
    assert jax.run(program).raised == ()


def test_broken_syntax_endless_loops_and_dead_processes_are_crashes(jax: Oracle) -> None:
    assert "SyntaxError" in (jax.run("x = (\n").crashed or "")
    endless = jax.run("x = 1\nwhile True: pass\n", timeout=2.0)
    assert endless.crashed == "still running after 2 s"
    assert [s.outcome for s in endless.statements] == ["ran"]
    assert "ended early" in (jax.run("import os\nos._exit(3)\n").crashed or "")
    assert jax.run("raise SystemExit(3)\n").raised[0].exception == "SystemExit"


def test_answers_are_kept_by_content(jax: Oracle, tmp_path: Path) -> None:
    jax.keep_in(tmp_path)
    jax.run("x = 'kept'\n")
    (kept,) = tmp_path.glob("*.json")
    again = Oracle()
    again.keep_in(tmp_path)
    kept.write_text(kept.read_text().replace('"ran"', '"unreached"'))
    assert again.run("x = 'kept'\n").statements[0].outcome == "unreached"
    assert again.run("x = 'other'\n").statements[0].outcome == "ran"
    again.close()

"""Fixes of aliases, maps and bindings that would be wrong somewhere: not offered there, or only as unsafe."""

from __future__ import annotations

import pytest

from jaxref.engine import Snapshot, analyse
from jaxref.settings import Settings

SETTINGS = Settings(jax_version=(0, 12, 0, 1))
IMPORTS = "import jax\nimport jax.numpy as jnp\n"


def offered(text: str, rule: str) -> dict[str, str]:
    """The applicability of the fixes of a rule, by their titles up to the first colon or bracket."""
    found = analyse(Snapshot("/nowhere/program.py", IMPORTS + text), SETTINGS)
    assert not found.incomplete
    assert any(d.rule == rule for d in found.diagnostics)
    return {
        fix.title.partition(":")[0].partition(" (")[0]: fix.applicability
        for d in found.diagnostics
        if d.rule == rule
        for fix in d.fixes
    }


def mapped(body: str, call: str = "jax.vmap(f)(jnp.arange(3.0))", made: str = "0.0") -> str:
    return f"n = jax.new_ref({made})\ndef f(x):\n{body}\n    return x\n{call}\n"


ROWS = "Give each example a row of its own, and add them to `n` afterwards"
LAX_MAP = "Run the examples one after the other"


def test_rows_are_offered() -> None:
    assert offered(mapped("    n[...] += x"), "vmap-closes-over-ref") == {
        ROWS: "safe",
        LAX_MAP: "unsafe",
    }


@pytest.mark.parametrize(
    "text",
    [
        pytest.param(mapped("    n[...] = x"), id="overwritten"),
        pytest.param(mapped("    n[...] += x\n    x = x + n[...]"), id="read as well"),
        pytest.param(mapped("    n[...] = x - n[...]"), id="negated"),
        pytest.param(mapped("    n[...] *= x"), id="multiplied"),
        pytest.param(mapped("    global n\n    n[...] += x"), id="declared global"),
        pytest.param(
            mapped(
                "    def yes():\n        n[...] += x\n    jax.lax.cond(x > 0, yes, lambda: None)"
            ),
            id="in a branch, which JAX does not map",
        ),
        pytest.param(
            mapped("    n[...] += jnp.int8(1)", made="jnp.int8(0)"),
            id="a sum would have another dtype",
        ),
        pytest.param(
            mapped("    n[...] += x", "f(1.0); jax.vmap(f)(jnp.arange(3.0))"), id="called elsewhere"
        ),
        pytest.param("__all__ = ['f']\n" + mapped("    n[...] += x"), id="other modules call it"),
        pytest.param(
            mapped("    n[...] += x", "y = [jax.vmap(f)(jnp.ones(2)) for _ in range(3)]"),
            id="in a comprehension",
        ),
        pytest.param(
            mapped("    n[...] += x", "print(n[...], jax.vmap(f)(jnp.arange(3.0)))"),
            id="the statement reads it first",
        ),
    ],
)
def test_no_rows(text: str) -> None:
    assert offered(text, "vmap-closes-over-ref") == {LAX_MAP: "unsafe"}


@pytest.mark.parametrize(
    "call",
    [
        pytest.param("jax.vmap(f, axis_name='i')(jnp.arange(3.0))", id="named axis"),
        pytest.param("jax.vmap(f, out_axes=1)(jnp.ones((2, 3)))", id="other axis out"),
        pytest.param("jax.vmap(f, in_axes=1)(jnp.ones((2, 3)))", id="other axis in"),
    ],
)
def test_no_lax_map(call: str) -> None:
    assert LAX_MAP not in offered(mapped("    n[...] = x.sum()", call), "vmap-closes-over-ref")


def jitted(body: str, call: str = "f(r, r)", head: str = "a, b") -> str:
    return f"r = jax.new_ref(jnp.ones(2))\n@jax.jit\ndef f({head}):\n{body}\n{call}\n"


VALUE = "Pass the value"
COPY = "Pass a ref of its own"


@pytest.mark.parametrize(
    ("body", "expected"),
    [
        ("    return a[...] + b[...]", {VALUE: "safe"}),
        ("    a[...] += b[...]", {VALUE: "safe"}),
        ("    a[...] += 1.0\n    return b[...]", {VALUE: "unsafe"}),
        ("    for i in range(2): a[i] = b[1 - i]", {VALUE: "unsafe"}),
        (
            "    def later(): return b[...]\n    a[...] += 1.0\n    return later()",
            {VALUE: "unsafe"},
        ),
        ("    a[...] += b[...]\n    b[...] += 1.0", {COPY: "unsafe"}),
        ("    b = b\n    a[...] += 1.0\n    return b[...]", {COPY: "unsafe"}),
        ("    a[...] += 1.0\n    return b[None] + 1.0", {COPY: "unsafe"}),
    ],
)
def test_passed_twice(body: str, expected: dict[str, str]) -> None:
    assert offered(jitted(body), "ref-aliased") == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        pytest.param(
            jitted("    a[...] += r[...]", "f(r)", "a"),
            {"Use the parameter `a` for `r` inside": "safe"},
            id="only here",
        ),
        pytest.param(
            jitted("    a[...] += r[...]", "f(jax.new_ref(jnp.ones(2))); f(r)", "a"),
            {"Use the parameter `a` for `r` inside": "unsafe"},
            id="elsewhere with another ref",
        ),
        pytest.param(
            jitted("    a[...] += (lambda a: a * r[...])(2.0)", "f(r)", "a"),
            {},
            id="the parameter's name means something else there",
        ),
        pytest.param(
            "def add(x): r[...] += x\n" + jitted("    add(1.0); a[...] += r[...]", "f(r)", "a"),
            {},
            id="a helper reaches it, too",
        ),
    ],
)
def test_passed_and_closed_over(text: str, expected: dict[str, str]) -> None:
    assert offered(text, "ref-aliased") == expected


RESTORED = "Put `w` back first"
SAVED = "Save the residuals"


@pytest.mark.parametrize(
    ("between", "restored"),
    [
        ("", True),
        ("w = w - 0.1", False),
        ("x = x - 0.1", True),
    ],
)
def test_residuals(between: str, restored: bool) -> None:
    text = (
        "w, x = jnp.eye(2), jnp.ones(2)\n"
        "y, pull = jax.vjp(lambda w, x: w @ x, w, x, saveable_args=(False, True))\n"
        f"{between}\npull(y)\n"
    )
    expected = {RESTORED: "safe"} if restored else {}
    assert offered(text, "unrestored-residuals") == {**expected, SAVED: "unsafe"}


REBOUND = """
total = jax.new_ref({made})
@jax.jit
def add(x): total[...] += x
add(1.0)
{between}
total = jax.new_ref(0.0)
add(1.0)
"""


@pytest.mark.parametrize(
    ("made", "between", "expected"),
    [
        ("0.0", "", {"Overwrite the content": "safe"}),
        ("0.0", "kept = [total]", {"Overwrite the content": "unsafe"}),
        ("jnp.zeros(2)", "", {}),
        ("0", "", {}),
    ],
)
def test_rebound(made: str, between: str, expected: dict[str, str]) -> None:
    text = REBOUND.format(made=made, between=between)
    assert offered(text, "jit-closed-over-ref-rebound") == expected


def test_rebound_where_the_first_call_makes_it() -> None:
    text = """
class Meter:
    def __init__(self):
        self.reset()
        self.add = jax.jit(lambda x: self.total.addupdate(x))

    def reset(self):
        self.total = jax.new_ref(0.0)

meter = Meter()
meter.add(1.0)
meter.reset()
meter.add(1.0)
"""
    assert offered(text, "jit-closed-over-ref-rebound") == {}


VALUE = "Differentiate with respect to the value of `r`"
READS = "r = jax.new_ref(jnp.ones(3))\ndef f(r): return jnp.sum({read})\n"


@pytest.mark.parametrize(("read", "expected"), [("r[0:2]", True), ("r[None]", False)])
@pytest.mark.parametrize(
    ("rule", "use"),
    [
        ("unbound-ref-gradient", "y, back = jax.vjp(f, r)\n(g,) = back(1.0)\nprint(g)\n"),
        ("grad-of-ref", "print(jax.hessian(f)(r))\n"),
    ],
)
def test_the_value_is_not_offered_where_an_array_is_read_otherwise(
    rule: str, use: str, read: str, expected: bool
) -> None:
    assert (VALUE in offered(READS.format(read=read) + use, rule)) is expected

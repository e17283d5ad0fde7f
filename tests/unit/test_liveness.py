"""Which values of a function reach nothing."""

from __future__ import annotations

import ast
from textwrap import dedent, indent

import pytest

from jaxref.source.liveness import unused


def reaches_nothing(body: str, lost: str | None = None) -> bool:
    """Whether the value of `t[...]`, the only such expression of the function, is unused."""
    function = ast.parse(f"def f(x, t, s):\n{indent(dedent(body), '    ')}").body[0]
    reads = [
        node
        for node in ast.walk(function)
        if isinstance(node, ast.Subscript)
        and isinstance(node.ctx, ast.Load)
        and ast.unparse(node) == "t[...]"
    ]
    assert len(reads) == 1
    return unused(function, reads[0], lost)


@pytest.mark.parametrize(
    "body",
    [
        "t[...]\nreturn x",
        "h = t[...]\nreturn x",
        "h = x\nh = h + t[...]\nreturn x",
        "h = t[...]\nk = jnp.sin(h)\nm = k.sum() * 2\nreturn x",
        "h = t[...]\ndef g(c):\n    return c + h\nreturn x",
        "h = t[...]\ndef g(c):\n    return c + h\nk = jax.lax.map(g, x)\nreturn x",
        "if x:\n    h = t[...]\nreturn x",
        "h, k = t[...], x\nreturn x",
    ],
)
def test_unused(body: str) -> None:
    assert reaches_nothing(body)


@pytest.mark.parametrize(
    "body",
    [
        "return t[...]",
        "h = t[...]\nreturn h",
        "h = t[...]\nk = h * 2\nreturn x + k",
        "s[...] = t[...]\nreturn x",
        "h = t[...]\nprint(h)\nreturn x",
        "h = bump(s, t[...])\nreturn x",
        "h = jax.ref.swap(s, ..., t[...])\nreturn x",
        "if t[...]:\n    x = x\nreturn x",
        "for row in t[...]:\n    x = x + 1\nreturn x",
        "h = t[...]\ndef g(c):\n    return c + h\nreturn jax.lax.map(g, x)",
        "h = t[...]\ndef g(c):\n    s[...] = h\n    return c\nreturn x",
        "self.last = t[...]\nreturn x",
        "h = [t[...]]\nh.append(x)\nreturn x",
    ],
)
def test_used(body: str) -> None:
    assert not reaches_nothing(body)


def test_a_store_that_is_lost() -> None:
    assert reaches_nothing("t[0] = t[...]\nreturn x", lost="t")
    assert reaches_nothing("t[0] += x * t[...]\nreturn x", lost="t")
    assert not reaches_nothing("s[0] = t[...]\nreturn x", lost="t")
    assert not reaches_nothing("t[0] = t[...]\nreturn x")


def test_what_has_no_statements() -> None:
    lam = ast.parse("lambda t: t[...]", mode="eval").body
    assert isinstance(lam, ast.Lambda)
    assert not unused(lam, lam.body)

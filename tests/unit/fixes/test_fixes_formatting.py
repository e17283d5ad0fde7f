"""Fixes keep what they do not change: comments, indentation, line ends, one-line suites, names."""

from __future__ import annotations

import ast
import textwrap
from pathlib import Path

import pytest

from harness.variants import variant
from jaxref.engine import Snapshot, analyse
from jaxref.fixes.apply import apply_edits
from jaxref.fixes.model import Fix
from jaxref.settings import Settings

SETTINGS = Settings(jax_version=(0, 12, 0, 1))
SETUP = """\
import jax
import jax.numpy as jnp

def f(w, x):
    return jnp.sum(w[...] * x)

w, x = jax.new_ref(jnp.ones(2)), jnp.ones(2)
"""


def fixes_of(text: str, rule: str = "unbound-ref-gradient") -> list[Fix]:
    found = analyse(Snapshot("/nowhere/program.py", text), SETTINGS)
    assert not found.incomplete
    return [fix for d in found.diagnostics if d.rule == rule for fix in d.fixes]


def fixed(text: str, part: str = "Bind a gradient ref", rule: str = "unbound-ref-gradient") -> str:
    fix = next(fix for fix in fixes_of(text, rule) if fix.title.startswith(part))
    return apply_edits(text, fix.edits)


def body(code: str) -> str:
    """A program whose last lines are `code`."""
    return SETUP + textwrap.dedent(code).lstrip("\n")


BINDING = [
    pytest.param(
        """
        y, back = jax.vjp(f, w, x)
        dw, dx = back(1.0)  # both
        print(dw, dx)
        """,
        """
        y, back = jax.vjp(f, w, x)
        w_grad = jax.new_ref(jnp.zeros_like(w))
        _, dx = back.with_refs(w_grad, jax.ad.GradValue())(1.0)  # both
        dw = w_grad[...]
        print(dw, dx)
        """,
        id="comment",
    ),
    pytest.param(
        """
        def g():
        \ty, back = jax.vjp(f, w, x)
        \tif y > 0: back(1.0)
        \treturn y
        g()
        """,
        """
        def g():
        \ty, back = jax.vjp(f, w, x)
        \tif y > 0: w_grad = jax.new_ref(jnp.zeros_like(w)); back.with_refs(w_grad, jax.ad.GradValue())(1.0)
        \treturn y
        g()
        """,
        id="one-line suite and tabs",
    ),
    pytest.param(
        """
        y, back = jax.vjp(f, w, x); dw, _ = back(1.0); print(dw)
        """,
        """
        y, back = jax.vjp(f, w, x); w_grad = jax.new_ref(jnp.zeros_like(w)); _, _ = back.with_refs(w_grad, jax.ad.GradValue())(1.0); dw = w_grad[...]; print(dw)
        """,
        id="semicolons",
    ),
    pytest.param(
        """
        y, back = jax.vjp(f, w, x)
        pull = lambda ct: back(ct)[1]
        pull(1.0)
        """,
        """
        y, back = jax.vjp(f, w, x)
        pull = lambda ct: back.with_refs(jax.new_ref(jnp.zeros_like(w)), jax.ad.GradValue())(ct)[1]
        pull(1.0)
        """,
        id="lambda",
    ),
    pytest.param(
        """
        y, back = jax.vjp(f, w, x)
        rows = [back(ct)[1] for ct in (1.0, 2.0)]
        """,
        """
        y, back = jax.vjp(f, w, x)
        rows = [back.with_refs(jax.new_ref(jnp.zeros_like(w)), jax.ad.GradValue())(ct)[1] for ct in (1.0, 2.0)]
        """,
        id="comprehension",
    ),
    pytest.param(
        """
        async def run():
            y, back = jax.vjp(f, w, x)
            dw, dx = back(
                jnp.ones_like(y),  # the seed
            )
            return dw
        """,
        """
        async def run():
            y, back = jax.vjp(f, w, x)
            w_grad = jax.new_ref(jnp.zeros_like(w))
            _, dx = back.with_refs(w_grad, jax.ad.GradValue())(
                jnp.ones_like(y),  # the seed
            )
            dw = w_grad[...]
            return dw
        """,
        id="async and continuation",
    ),
    pytest.param(
        """
        y, back = jax.vjp(f, w, x)
        if False:
            pass
        else:
            total = jnp.linalg.norm(back(1.0)[0])  # of w
        """,
        """
        y, back = jax.vjp(f, w, x)
        if False:
            pass
        else:
            w_grad = jax.new_ref(jnp.zeros_like(w))
            back.with_refs(w_grad, jax.ad.GradValue())(1.0)
            total = jnp.linalg.norm(w_grad[...])  # of w
        """,
        id="inside an expression",
    ),
    pytest.param(
        """
        w_grad = "taken"
        y, back = jax.vjp(f, w, x)
        dw, dx = back(1.0)
        """,
        """
        w_grad = "taken"
        y, back = jax.vjp(f, w, x)
        w_grad2 = jax.new_ref(jnp.zeros_like(w))
        _, dx = back.with_refs(w_grad2, jax.ad.GradValue())(1.0)
        dw = w_grad2[...]
        """,
        id="name taken",
    ),
    pytest.param(
        """
        _ = print
        y, back = jax.vjp(f, w, x)
        dw, dx = back(1.0)
        _(dw)
        """,
        """
        _ = print
        y, back = jax.vjp(f, w, x)
        w_grad = jax.new_ref(jnp.zeros_like(w))
        dw, dx = back.with_refs(w_grad, jax.ad.GradValue())(1.0)
        dw = w_grad[...]
        _(dw)
        """,
        id="underscore in use",
    ),
    pytest.param(
        """
        y, back = jax.vjp(f, w, x)
        grads = back(1.0)
        print(grads)
        """,
        """
        y, back = jax.vjp(f, w, x)
        w_grad = jax.new_ref(jnp.zeros_like(w))
        grads = back.with_refs(w_grad, jax.ad.GradValue())(1.0)
        grads = (w_grad[...], grads[1])
        print(grads)
        """,
        id="kept whole",
    ),
]


@pytest.mark.parametrize(("before", "after"), BINDING)
def test_bind(before: str, after: str) -> None:
    assert fixed(body(before)) == body(after)


@pytest.mark.parametrize(("before", "after"), BINDING)
def test_bind_with_other_line_ends(before: str, after: str) -> None:
    text = body(before).replace("\n", "\r\n")
    assert fixed(text) == body(after).replace("\n", "\r\n")


def test_the_last_line_needs_no_line_end() -> None:
    text = body("y, back = jax.vjp(f, w, x)\ndw, dx = back(1.0)").rstrip("\n")
    assert fixed(text).endswith(")(1.0)\ndw = w_grad[...]")


def test_names_of_the_file_are_used() -> None:
    text = """\
from jax import new_ref as mutable, numpy as np, vjp

r = mutable(np.ones(2))
y, back = vjp(lambda r: np.sum(r[...]), r)
back(1.0)
"""
    assert "grad_ref = mutable(np.zeros_like(r))\n" in fixed(text)
    assert "import jax\n" not in fixed(text)


def test_an_import_is_added_beside_its_siblings() -> None:
    text = '''\
"""What this does."""
from __future__ import annotations

import os
from jax import new_ref, numpy as np, vjp

r, x = new_ref(np.ones(2)), np.ones(2)
y, back = vjp(lambda r, x: np.sum(r[...] * x), r, x)
dr, dx = back(1.0)
'''
    lines = fixed(text).splitlines()
    assert lines[4:6] == ["import jax", "from jax import new_ref, numpy as np, vjp"]
    assert "_, dx = back.with_refs(grad_ref, jax.ad.GradValue())(1.0)" in lines


def test_nothing_is_offered_where_jax_means_something_else() -> None:
    text = """\
import jax as j
from jax import numpy as np, new_ref, vjp

jax = "a string"
r, x = new_ref(np.ones(2)), np.ones(2)
y, back = vjp(lambda r, x: np.sum(r[...] * x), r, x)
dr, dx = back(1.0)
"""
    assert "j.ad.GradValue()" in fixed(text)
    hidden = text.replace("import jax as j\n", "")
    assert all("jax.ad" not in edit.text for fix in fixes_of(hidden) for edit in fix.edits)


def test_a_statement_is_not_put_between_the_parts_of_an_if() -> None:
    text = body(
        """
        y, back = jax.vjp(f, w, x)
        if y > 100:
            pass
        elif back(1.0)[0].sum() > 0:
            print(y)
        """
    )
    assert not any(fix.title.startswith("Bind") for fix in fixes_of(text))


def test_a_loop_condition_keeps_its_meaning() -> None:
    text = body(
        """
        y, back = jax.vjp(f, w, x)
        while back(1.0)[0].sum() > 0:
            break
        """
    )
    assert not any(fix.title.startswith("Bind") for fix in fixes_of(text))


def test_a_decorator_stays_with_its_function() -> None:
    text = body(
        """
        y, back = jax.vjp(f, w, x)

        def scaled(factor):
            return lambda g: g

        @scaled(back(1.0)[0])
        @scaled(2.0)
        def g():
            return 1
        """
    )
    assert (
        "back.with_refs(w_grad, jax.ad.GradValue())(1.0)\n@scaled(w_grad[...])\n@scaled(2.0)\n"
        in fixed(text)
    )


def test_before_jax_0_11_only_the_signature_can_change() -> None:
    text = body("y, back = jax.vjp(f, w, x)\n_, dx = back(1.0)\n")
    found = analyse(Snapshot("/nowhere/program.py", text), Settings(jax_version=(0, 10, 2)))
    titles = [fix.title for d in found.diagnostics for fix in d.fixes]
    assert titles == ["Keep `w` out of the differentiated arguments"]


def test_keep_out() -> None:
    text = body("y, back = jax.vjp(f, w, x)  # forward\n_, dx = back(1.0)  # backward\n")
    assert fixed(text, "Keep") == body(
        "y, back = jax.vjp(lambda x: f(w, x), x)  # forward\n(dx,) = back(1.0)  # backward\n"
    )


def test_keep_out_of_a_lambda() -> None:
    text = body("y, back = jax.vjp(lambda r, v: f(r, v), w, x)\n_, dx = back(1.0)\n")
    assert fixed(text, "Keep") == body(
        "y, back = jax.vjp(lambda v: f(w, v), x)\n(dx,) = back(1.0)\n"
    )


def test_keep_out_is_not_offered_for_a_gradient_that_is_read() -> None:
    text = body("y, back = jax.vjp(f, w, x)\ndw, dx = back(1.0)\nprint(dw)\n")
    assert [fix.title for fix in fixes_of(text)] == [
        "Bind a gradient ref",
        "Differentiate with respect to the value of `w`",
    ]


def test_skip() -> None:
    text = body("y, back = jax.vjp(f, w, x)\n_, dx = back(1.0)\n")
    assert fixed(text, "Skip") == body(
        "y, back = jax.vjp(f, w, x)\n_, dx = back.with_refs(jax.ad.DontWant(), jax.ad.GradValue())(1.0)\n"
    )


def test_skip_is_not_offered_for_a_ref_that_is_written() -> None:
    text = body(
        """
        def g(w, x):
            w[...] = w[...] * 2.0
            return jnp.sum(w[...] * x)

        y, back = jax.vjp(g, w, x)
        _, dx = back(1.0)
        """
    )
    assert not any(fix.title.startswith("Skip") for fix in fixes_of(text))


def test_an_operand_in_brackets_is_read_as_a_whole() -> None:
    text = SETUP + "r = w\ny = -(\n    r if x.sum() else w\n)  # all of it\n"
    after = fixed(text, "Read", "ref-as-array")
    assert after.endswith("y = -(\n    r if x.sum() else w\n)[...]  # all of it\n")


PROGRAMS = sorted((Path(__file__).parent / "meant").glob("*.py"))


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("path", [pytest.param(path, id=path.stem) for path in PROGRAMS])
def test_formatting_does_not_matter(path: Path, seed: int) -> None:
    """The same program, formatted otherwise, is fixed to the same program."""
    text = path.read_text(encoding="utf-8")
    other = variant(text, seed)
    assert ast.dump(ast.parse(other)) == ast.dump(ast.parse(text))
    plain, again = numbered_fixes(text), numbered_fixes(other)
    assert plain
    # A comment in the way of an edit may make a fix impossible, but not the first choice.
    firsts = {number: fix for (number, _), fix in reversed(plain.items())}
    for number, first in firsts.items():
        assert (number, first.title) in again
    for key, fix in again.items():
        after = apply_edits(other, fix.edits)
        if key in plain:
            meant = apply_edits(text, plain[key].edits)
            assert ast.dump(ast.parse(after)) == ast.dump(ast.parse(meant))
        assert after.count("# a remark") == other.count("# a remark")


def numbered_fixes(text: str) -> dict[tuple[int, str], Fix]:
    """The fixes by the number of their finding and by title."""
    found = analyse(Snapshot("/nowhere/program.py", text), SETTINGS)
    return {(i, fix.title): fix for i, d in enumerate(found.diagnostics) for fix in d.fixes}


def test_comments_inside_what_is_replaced_stay() -> None:
    text = body(
        """
        def g(w, x):
            w[...] = w[...] * 2.0
            return jnp.sum(w[...] * x)

        y, back = jax.vjp(g, w, x)
        _, dx = back.with_refs(
            jax.ad.DontWant(),  # the state
            jax.ad.GradValue(),  # the data
        )(1.0)
        """
    )
    after = fixed(text, "Bind a fresh gradient ref", "dont-want-written-ref")
    assert after.endswith(
        textwrap.dedent(
            """
            w_grad = jax.new_ref(jnp.zeros_like(w))
            _, dx = back.with_refs(
                w_grad,  # the state
                jax.ad.GradValue(),  # the data
            )(1.0)
            """
        )
    )


def test_a_comment_that_goes_with_code_is_put_above() -> None:
    text = body(
        """
        g = jax.value_and_grad(
            f,  # the loss
        )(w, x)
        """
    )
    after = fixed(text, "Take the gradient", "grad-of-ref")
    assert "\n# the loss\n" in after or "  # the loss\n" in after
    ast.parse(after)

"""Small programs, mostly of several modules or of functions that nobody calls, and what is found.

`# error: rule` (or warning, info, hint) at the end of a line expects exactly that on that line.
"""

from __future__ import annotations

import re
import textwrap
from pathlib import Path

import pytest

from jaxref.engine import Analysis, Snapshot, analyse
from jaxref.settings import Settings

_EXPECTED = re.compile(r"# (error|warning|info|hint): ([a-z-]+)")


def analysed(path: Path, settings: Settings | None = None) -> Analysis:
    """The analysis of a file on disk."""
    return analyse(Snapshot(str(path), path.read_text()), settings or Settings())


def found(result: Analysis) -> set[tuple[int, str, str]]:
    """The findings as line, severity and rule."""
    text = result.texts[result.snapshot.path]
    return {
        (text.position(one.span.start).line, one.severity, one.rule) for one in result.diagnostics
    }


def expected(path: Path) -> set[tuple[int, str, str]]:
    """What the comments of a file expect."""
    return {
        (number, match[1], match[2])
        for number, line in enumerate(path.read_text().splitlines(), 1)
        for match in _EXPECTED.finditer(line)
    }


def project(folder: Path, **files: str) -> dict[str, Path]:
    """A project of these files; `-` in a name stands for a slash."""
    made = {}
    (folder / "pyproject.toml").write_text("")
    for name, content in files.items():
        path = folder / (name.replace("-", "/") + ".py")
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(textwrap.dedent(content))
        made[name] = path
    return made


def check(path: Path) -> Analysis:
    """Analyse a file and compare with its comments."""
    result = analysed(path)
    assert found(result) == expected(path), [one.message for one in result.diagnostics]
    assert not result.incomplete
    assert not result.failures
    return result


HEAD = "import jax\nimport jax.numpy as jnp\n"


def program(tmp_path: Path, body: str) -> Path:
    """A file of the usual imports and `body`."""
    path = tmp_path / "program.py"
    path.write_text(HEAD + textwrap.dedent(body))
    return path


def test_ref_made_in_another_module(tmp_path: Path) -> None:
    files = project(
        tmp_path,
        state="""
            import jax
            import jax.numpy as jnp
            def make(n):
                return {"w": jax.new_ref(jnp.zeros(n))}
            """,
        train="""
            import jax
            from state import make
            params = make(3)
            _, f_vjp = jax.vjp(lambda p: p["w"][...].sum(), params)
            f_vjp(1.0)  # error: unbound-ref-gradient
            """,
    )
    result = check(files["train"])
    (one,) = result.diagnostics
    assert "`params['w']`" in one.message
    assert any(place.path == str(files["state"]) for place in one.related)


def test_vjp_applied_in_another_module_is_told_at_the_call(tmp_path: Path) -> None:
    files = project(
        tmp_path,
        apply="def pull(f_vjp, ct):\n    return f_vjp(ct)\n",
        train="""
            import jax
            import apply as a
            r = jax.new_ref(1.0)
            _, f_vjp = jax.vjp(lambda r: r[...] ** 2, r)
            a.pull(f_vjp, 1.0)  # error: unbound-ref-gradient
            """,
    )
    (one,) = check(files["train"]).diagnostics
    assert any(place.path == str(files["apply"]) for place in one.related)


@pytest.mark.parametrize(
    "statement",
    [
        "from pkg import Layer",
        "from pkg.layers import Layer",
        "from pkg import *",
        "import pkg; Layer = pkg.Layer",
        "import pkg.layers as layers; Layer = layers.Layer",
    ],
)
def test_class_through_packages_and_reexports(tmp_path: Path, statement: str) -> None:
    files = project(
        tmp_path,
        **{
            "pkg-__init__": "from .layers import Layer\n__all__ = ['Layer']\n",
            "pkg-layers": """
                import jax
                import jax.numpy as jnp
                class Layer:
                    def __init__(self, n):
                        self.kernel = jax.new_ref(jnp.eye(n))
                """,
        },
        train=f"""
            import jax
            {statement}
            layer = Layer(2)
            _, f_vjp = jax.vjp(lambda k: k[...].sum(), layer.kernel)
            f_vjp(1.0)  # error: unbound-ref-gradient
            """,
    )
    check(files["train"])


def test_import_cycle_is_survived(tmp_path: Path) -> None:
    files = project(
        tmp_path,
        a="""
            import jax
            import b
            r = jax.new_ref(0.0)
            def get():
                return r
            """,
        b="import a\ndef ref():\n    return a.get()\n",
        main="""
            import jax
            import a
            import b
            jax.grad(lambda r: r[...])(b.ref())  # error: grad-of-ref
            """,
    )
    check(files["main"])


def test_open_editors_win_over_the_disk(tmp_path: Path) -> None:
    files = project(
        tmp_path,
        state="import jax\ndef make():\n    return jax.numpy.zeros(3)\n",
        main="""
            import jax
            from state import make
            _, f_vjp = jax.vjp(lambda w: w[...].sum(), make())
            f_vjp(1.0)
            """,
    )
    main = files["main"]
    assert not analysed(main).diagnostics
    edited = "import jax\ndef make():\n    return jax.new_ref(jax.numpy.zeros(3))\n"
    snapshot = Snapshot(str(main), main.read_text(), overlay={str(files["state"]): edited})
    result = analyse(snapshot, Settings())
    assert [one.rule for one in result.diagnostics] == ["unbound-ref-gradient"]
    assert str(files["state"]) in result.dependencies


def test_functions_that_nobody_calls(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        from dataclasses import dataclass
        from typing import NamedTuple

        @dataclass
        class State:
            w: jax.Ref
            step: int = 0

        class Pair(NamedTuple):
            w: "jax.Ref"
            x: jax.Array

        class Stage:
            def __init__(self, n):
                self.kernel = jax.new_ref(jnp.eye(n))

            def backward(self, ct):
                _, f_vjp = jax.vjp(lambda k: k[...].sum(), self.kernel)
                return f_vjp(ct)  # error: unbound-ref-gradient

        def by_field(state: State):
            _, f_vjp = jax.vjp(lambda w: w[...].sum(), state.w)
            f_vjp(1.0)  # error: unbound-ref-gradient

        def by_tuple(pair: Pair):
            _, f_vjp = jax.vjp(lambda w: w[...].sum(), pair.w)
            f_vjp(1.0)  # error: unbound-ref-gradient

        def by_class(stage: Stage):
            jax.grad(lambda w: w[...].sum())(stage.kernel)  # error: grad-of-ref

        def maybe(w: jax.Ref | None):
            _, f_vjp = jax.vjp(lambda w: w[...].sum(), w)
            f_vjp(1.0)  # warning: unbound-ref-gradient

        def proved(state, x):
            def loss(s, x):
                s[...] = jax.lax.stop_gradient(x)
                return x.sum()
            _, f_vjp = jax.vjp(loss, state, x)
            f_vjp(1.0)  # error: unbound-ref-gradient

        def unknown(state, x):
            _, f_vjp = jax.vjp(lambda s, x: s[...] * x, state, x)
            return f_vjp(1.0)
        """,
    )
    check(path)


def test_what_holds_on_some_paths_only_is_a_warning(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        import sys
        w, g = jax.new_ref(1.0), jax.new_ref(0.0)
        _, f_vjp = jax.vjp(lambda w: w[...] ** 2, w)
        if len(sys.argv) > 1:
            f_vjp = f_vjp.with_refs(g)
        f_vjp(1.0)  # warning: unbound-ref-gradient
        """,
    )
    (one,) = check(path).diagnostics
    assert one.message.startswith("on some paths, ")


def test_what_holds_for_every_alternative_is_certain(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        import sys
        a, b = jax.new_ref(1.0), jax.new_ref(2.0)
        chosen = a if len(sys.argv) > 1 else b
        chosen + 1  # error: ref-as-array
        """,
    )
    check(path)


@pytest.mark.parametrize(
    ("catching", "severity"),
    [
        ("try:\n    BODY\nexcept ValueError:\n    pass", "hint"),
        ("try:\n    BODY\nexcept (KeyError, ValueError) as e:\n    print(e)", "hint"),
        ("try:\n    BODY\nexcept Exception:\n    pass", "hint"),
        ("try:\n    BODY\nexcept KeyError:\n    pass", "error"),
        ("try:\n    BODY\nfinally:\n    pass", "error"),
        ("try:\n    BODY\nexcept ValueError:\n    raise", "error"),
        ("import contextlib\nwith contextlib.suppress(ValueError):\n    BODY", "hint"),
        ("import pytest\nwith pytest.raises(ValueError):\n    BODY", "hint"),
        ("import pytest\nwith pytest.raises(KeyError):\n    BODY", "error"),
    ],
)
def test_caught_errors_are_hints(tmp_path: Path, catching: str, severity: str) -> None:
    path = tmp_path / "caught.py"
    lines = "r = jax.new_ref(1.0)\n_, f_vjp = jax.vjp(lambda r: r[...] ** 2, r)\n"
    path.write_text(HEAD + lines + catching.replace("BODY", "f_vjp(1.0)") + "\n")
    assert [one.severity for one in analysed(path).diagnostics] == [severity]


def test_comments_silence_and_needless_ones_are_told(tmp_path: Path) -> None:
    path = program(
        tmp_path,
        """
        r = jax.new_ref(1.0)
        r + 1  # jaxref: ignore[ref-as-array] -- on purpose
        r + 1  # error: ref-as-array
        x = 1  # jaxref: ignore[ref-as-array] # hint: unused-ignore
        """,
    )
    check(path)


def test_settings_choose_rules_and_severities(tmp_path: Path) -> None:
    path = program(tmp_path, "r = jax.new_ref(1.0)\nr + 1\njax.new_ref(r)\n")
    rules = {one.rule for one in analysed(path).diagnostics}
    assert rules == {"ref-as-array", "ref-of-ref"}
    assert {one.rule for one in analysed(path, Settings(ignore=("ref-of-ref",))).diagnostics} == {
        "ref-as-array"
    }
    changed = analysed(path, Settings(severity={"ref-of-ref": "hint"})).diagnostics
    assert {(one.rule, one.severity) for one in changed} == {
        ("ref-as-array", "error"),
        ("ref-of-ref", "hint"),
    }
    assert not [
        one
        for one in analysed(
            path, Settings(severity={"ref-of-ref": "hint"}, hints=False)
        ).diagnostics
        if one.rule == "ref-of-ref"
    ]


def test_advice_fits_the_version(tmp_path: Path) -> None:
    path = program(
        tmp_path, "r = jax.new_ref(1.0)\n_, f = jax.vjp(lambda r: r[...] ** 2, r)\nf(1.0)\n"
    )
    (old,) = analysed(path, Settings(jax_version=(0, 10, 2))).diagnostics
    (new,) = analysed(path, Settings(jax_version=(0, 12, 0))).diagnostics
    assert "with_refs" in new.message
    assert "with_refs" not in old.message
    assert not any("jax.ad" in edit.text for fix in old.fixes for edit in fix.edits)


@pytest.mark.parametrize(
    "body",
    [
        "def f(x):\n    return f(f(x))\nr = jax.new_ref(1.0)\nf(r)\n",
        "x = []\nx.append(x)\njax.vjp(lambda x: x, x)\n",
        "d = {}\nd['d'] = d\njax.tree.map(jax.new_ref, d)\n",
        "class A:\n    def __getattr__(self, name):\n        return getattr(self, name)\nA().vjp\n",
        "r = jax.new_ref(0)\nwhile True:\n    r[...] += 1\n",
        "f = lambda: f()\njax.vjp(f)\n",
        "def g():\n    yield from g()\nlist(g())\nr = jax.new_ref(0)\n",
        "@jax.vjp\nclass A(A): pass\njax.new_ref(A)\n",
        "jax.vjp()\njax.new_ref()\njax.vjp(*1)\njax.new_ref().with_refs(\n)\n",
        "import jax.ad.nothing as ad\nfrom jax import *\nnew_ref(1)\n",
    ],
)
def test_odd_programs_are_survived(tmp_path: Path, body: str) -> None:
    result = analysed(program(tmp_path, body))
    assert not result.failures


def test_positions_lie_inside_the_file(tmp_path: Path) -> None:
    path = program(tmp_path, 'é = "😀"; r = jax.new_ref(1.0); r + 1  # error: ref-as-array\n')
    (one,) = check(path).diagnostics
    text = path.read_text()
    assert text[one.span.start : one.span.end] == "r + 1"


def test_budget_is_kept_and_told(tmp_path: Path) -> None:
    nested = "".join(
        f"def f{i}(x):\n    for a in range(5):\n        x = f{i - 1}(x)\n    return x\n"
        for i in range(1, 12)
    )
    first = "def f0(x):\n    x[...] += 1.0\n    return x\n"
    path = program(tmp_path, first + nested + "f11(jax.new_ref(1.0))\n")
    result = analysed(path)
    assert any("steps" in line for line in result.incomplete)


_TABLE = "[dict(a=a, b=b, c=c, d=d) for a in range(9) for b in range(9) for c in range(9) for d in range(9)]"


@pytest.mark.parametrize(
    "body",
    [
        f"    @parameterized.parameters(*{_TABLE})\n    def test_other(self, a): ...\n",
        f"    @parameterized.parameters(*{_TABLE})\n    def test_other(self, a): jax.new_ref(a)\n",
        f"    table = {_TABLE}\n",
        f"    table = parameterized.named({_TABLE})\n",
        f"    def rows():\n        return {_TABLE}\n    table = [rows() for _ in range(5)]\n",
    ],
)
def test_tables_without_refs_leave_the_budget_to_what_follows(tmp_path: Path, body: str) -> None:
    last = "    def test(self):\n        r = jax.new_ref(1.0)\n        return r + 1  # error: ref-as-array\n"
    head = "from absl.testing import parameterized\nclass Tests(parameterized.TestCase):\n"
    result = check(program(tmp_path, head + body + last))
    assert not result.incomplete


def test_a_long_expression_with_refs_is_evaluated_to_its_end(tmp_path: Path) -> None:
    rows = "[jax.new_ref(float(a + b)) for a in range(9) for b in range(9) for c in range(9)]"
    check(program(tmp_path, f"table = {rows}\ntable[0] + 1  # error: ref-as-array\n"))


def test_functions_without_refs_that_take_long_share_a_budget(tmp_path: Path) -> None:
    calls = "    rows()\n" * 40
    body = f"def rows():\n    return {_TABLE}\ndef main():\n{calls}    r = jax.new_ref(1.0)\n    return r + 1  # error: ref-as-array\n"
    assert not check(program(tmp_path, body)).incomplete

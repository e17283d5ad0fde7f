"""Which functions are worth entering, told from words alone."""

from __future__ import annotations

import ast
from pathlib import Path

import pytest

from jaxref.engine import Snapshot, analyse
from jaxref.interp.interest import Interest
from jaxref.jaxmodel.registry import DESCRIPTIONS
from jaxref.relevance import SOURCES
from jaxref.resolve.reach import imports_in
from jaxref.settings import Settings
from jaxref.source.text import Text


def interesting(text: str, **modules: frozenset[str]) -> set[str]:
    """The names of the functions in `text` that are of interest; `modules` says what others offer.

    The same ones whether all statements are looked at or those alone that can matter.
    """
    all_of_it, what_matters = (_interesting(text, seen, modules) for seen in (None, Text(text)))
    assert all_of_it == what_matters
    return what_matters


def _interesting(text: str, seen: Text | None, modules: dict[str, frozenset[str]]) -> set[str]:
    tree = ast.parse(text)
    interest = Interest(tree, lambda name, level: modules.get(name, frozenset()), seen)
    functions = [node for node in ast.walk(tree) if isinstance(node, ast.FunctionDef)]
    found = {function.name for function in functions if interest.of(function)}
    assert interest.anything or not found
    return found


def test_a_function_with_a_word_of_refs_is_of_interest_and_its_callers_are() -> None:
    text = (
        "import jax\n"
        "def make(): return jax.new_ref(0.)\n"
        "def use(): return make()\n"
        "def further(): return use()\n"
        "def other(x): return x + 1\n"
    )
    assert interesting(text) == {"make", "use", "further"}


def test_what_is_kept_in_an_attribute_makes_its_readers_of_interest() -> None:
    text = (
        "import jax\n"
        "class Counter:\n"
        "    def __init__(self): self.count = jax.new_ref(0)\n"
        "    def bump(self): self.count[...] += 1\n"
        "    def name(self): return 'counter'\n"
    )
    assert interesting(text) == {"__init__", "bump"}


def test_methods_of_a_class_whose_base_is_of_interest_are() -> None:
    text = "from state import Base\nclass Derived(Base):\n    def name(self): return 'derived'\n"
    assert interesting(text, state=frozenset({"Base"})) == {"name"}


def test_a_class_is_of_interest_by_any_of_its_methods() -> None:
    text = (
        "import jax\n"
        "class Layer:\n"
        "    def other(self): return 1\n"
        "    def run(self): return make()\n"
        "def make(): return helper()\n"
        "def helper(): return jax.vjp(f)\n"
        "def use(): return Layer().other()\n"
        "def far(): return 1\n"
    )
    assert interesting(text) == {"run", "make", "helper", "use"}


@pytest.mark.parametrize(
    "written",
    [
        "jax\\\n.vjp",
        "jax . vjp",
        "jax.ad .GradValue",
        "ｊax.vjp",
        "jax.ad. \\\n GradValue",
        "(jax\n# why\n.vjp)",
    ],
)
def test_paths_are_read_however_they_are_written(written: str) -> None:
    assert interesting(f"import jax\ndef f(): return {written}\n") == {"f"}


def test_local_names_say_nothing_of_other_functions() -> None:
    text = "import jax\ndef a():\n    out = jax.vjp(f, x)\n    return out[0]\ndef b(): out = 1; return out\n"
    assert interesting(text) == {"a"}


@pytest.mark.parametrize(
    ("line", "of_interest"),
    [
        ("import jax; vjp = 1\ndef f(g): return jax.vjp(g)", True),
        ("import jax.numpy\ndef f(g): return jax.vjp(g)", True),
        ("import jax as j\ndef f(g): return j.vjp(g)", True),
        ("from jax import vjp\ndef f(g): return vjp(g)", True),
        ("from jax._src import core as c\ndef f(x): return c.new_ref(x)", True),
        ("from jax.experimental import pallas as pl\ndef f(k): return pl.pallas_call(k)", True),
        ("from jax._src.state import discharge\ndef f(k): return discharge.run_state(k)", True),
        ("import jax\ndef f(g): return getattr(jax, 'vjp')(g)", True),
        ("import jax\ndef f(g): return helper(jax)(g)", True),
        ("import jax\ndef f(g):\n    lib = jax\n    return lib.vjp(g)", True),
        ("import jax\nlib = jax\ndef f(g): return lib.vjp(g)", True),
        ("from helpers import lib\ndef f(g): return lib.vjp(g)", True),
        ("from helpers import vjp\ndef f(g): return vjp(g)", True),
        ("from helpers import *\ndef f(g): return lib.vjp(g)", True),
        ("import jax\ndef f(g): return jax.grad(g)", False),
        ("import jax\nfrom numerics import vjp as v\ndef f(vjp): return vjp(1)", False),
        ("import jax\ndef f(x): return x.freeze()", False),
        ("import jax\ndef f(self): return self.vjp(jax.numpy.sin)", False),
        ("import jax\ndef f(jax, g): return g(jax)", False),
        ("from jax._src import api\ndef f(g): return api.jit(g)", False),
        ("import jax\ndef f(g): return primitive('vjp', g)", False),
    ],
)
def test_a_word_counts_where_it_is_got_out_of_jax(line: str, of_interest: bool) -> None:
    assert ("f" in interesting(line + "\n")) is of_interest


def test_a_word_that_the_module_defines_is_its_own() -> None:
    text = "import jax\ndef vjp(f): return jax.jvp(f)\ndef use(): return vjp(1)\n"
    assert interesting(text) == set()
    assert interesting(text.replace("jax.jvp", "jax.vjp")) == {"vjp", "use"}


def test_a_word_that_is_imported_comes_on_by_its_name() -> None:
    interest = Interest(
        ast.parse("from jax import vjp, Ref as R\nimport jax"), lambda *_: frozenset()
    )
    assert interest.names == {"vjp", "R"}


def test_all_that_is_described_by_a_word_of_jax_can_be_got_at() -> None:
    modules = {
        name.rpartition(".")[0] for name in DESCRIPTIONS if name.rpartition(".")[2] in SOURCES
    }
    for module in modules:
        written = module.replace("pallas", "jax.experimental.pallas")
        text = f"import {written}\ndef f(x): return {written}.WORD(x)\n"
        assert interesting(text.replace("WORD", "new_ref")) == {"f"}, module


def test_functions_inside_one_of_interest_are_too() -> None:
    assert interesting(
        "import jax\ndef a():\n    r = jax.new_ref(0)\n    def b(): r[...] = 1\n"
    ) == {"a", "b"}


@pytest.mark.parametrize(
    ("annotation", "of_interest"),
    [("'jax.Ref'", True), ("'dict[str, jax.Ref]'", True), ("'see Ref for more.'", False)],
)
def test_words_in_annotations_in_quotes_count(annotation: str, of_interest: bool) -> None:
    assert (interesting(f"import jax\ndef f(x: {annotation}): pass") == {"f"}) is of_interest


@pytest.mark.parametrize(
    "line",
    [
        "from state import make",
        "from state import make as build",
        "from state import *",
        "import state",
    ],
)
def test_names_of_interest_come_with_imports(line: str) -> None:
    name = "build" if "build" in line else "state.make" if line == "import state" else "make"
    text = f"{line}\ndef f(): return {name}()\ndef g(): return other()\n"
    assert interesting(text, state=frozenset({"make"})) == {"f"}


def test_imports_are_read_off_lines() -> None:
    text = "import a.b\nfrom . import c, d as e\nfrom ..f import (\n    g,  # 1)\n    h,\n)\n"
    assert [(name, level) for name, level, _ in imports_in(text)] == [("a.b", 0), ("", 1), ("f", 2)]
    listed = [wanted for _, _, wanted in imports_in(text)]
    assert [{*wanted} - {"1"} for wanted in listed] == [set(), {"c", "d"}, {"g", "h"}]


@pytest.mark.parametrize(
    "text",
    [
        "import a, m as n\n",
        "x = 1; import m\n",
        "if x: import m\n",
        "try:\n\timport important, m\n",
        "import a, \\\n    m\n",
        "import \\\n m",
        "from x.imports import y; import m; import z\n",
        "def f():\r\n    import m\r\n",
    ],
)
def test_imports_are_found_wherever_they_stand(text: str) -> None:
    assert "m" in [name for name, _, _ in imports_in(text)]


@pytest.mark.parametrize(
    "text",
    [
        "from m import x\n",
        "x = 1; from m import x\n",
        "from \\\n    m \\\n    import x\n",
        "from m import \\\n    x\n",
        "from m import (x)\n",
        "from m import(\nx, y)\n",
        "from m import x; y = 2\n",
        "from m import y, \\\n x\n",
    ],
)
def test_names_are_found_however_they_are_imported(text: str) -> None:
    assert [(name, "x" in wanted) for name, _, wanted in imports_in(text)] == [("m", True)]


def test_a_module_is_left_alone_when_nothing_it_imports_brings_refs(tmp_path: Path) -> None:
    (tmp_path / "plain.py").write_text("import jax\ndef f(x): return x\n")
    text = "import jax.numpy as jnp\nfrom plain import f\ndef g(x): return f(jnp.sin(x))\n"
    analysis = analyse(Snapshot(str(tmp_path / "use.py"), text), Settings())
    assert analysis.described() == ()
    assert str(tmp_path / "plain.py") in analysis.dependencies


def test_refs_that_come_through_two_modules_are_found(tmp_path: Path) -> None:
    (tmp_path / "state.py").write_text("import jax\ndef make(): return jax.new_ref(0.)\n")
    (tmp_path / "facade.py").write_text("from state import make\n")
    text = "import jax.numpy as jnp\nfrom facade import make\ndef f(): return jnp.sin(make())\n"
    analysis = analyse(Snapshot(str(tmp_path / "use.py"), text), Settings())
    assert [one.rule for one in analysis.diagnostics] == ["ref-as-array"]

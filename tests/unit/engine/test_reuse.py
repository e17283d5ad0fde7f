"""What an analysis takes over from that of an earlier text, and that it tells what a new one does."""

from __future__ import annotations

import ast
import os
import random
from pathlib import Path

import pytest

import jaxref.interp.run
from harness.editing import edited
from harness.telling import from_everything, places_in, told
from jaxref.engine import Analysis, AnalysisCancelled, Snapshot, analyse
from jaxref.quick_dataclasses import replace
from jaxref.reuse import Kept, Reuser
from jaxref.settings import Settings
from jaxref.source.text import Span

CORPUS = sorted((Path(__file__).parents[2] / "corpus").glob("*.py"))
SETTINGS = Settings(jax_version=(0, 12, 0, 1))

HEAD = """\
import jax
import jax.numpy as jnp

SIZE = 3
TABLE = []


def loss(r):
    return r[...].sum()


def first(x):
    ref = jax.new_ref(jnp.zeros(SIZE))
    _, f_vjp = jax.vjp(loss, ref)
    f_vjp(x)


def second(x):
    ref = jax.new_ref(x)
    return ref + 1
"""


@pytest.fixture
def entered(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The names of the functions that are entered though nobody calls them."""
    names: list[str] = []
    enter = jaxref.interp.run._enter

    def noted(m: object, function: object) -> None:
        names.append(function.name)  # type: ignore[attr-defined]
        enter(m, function)  # type: ignore[arg-type]

    monkeypatch.setattr(jaxref.interp.run, "_enter", noted)
    return names


def first_look(text: str, path: str = "/module.py", settings: Settings = SETTINGS) -> Kept:
    kept = analyse(Snapshot(path, text, is_edited=True), settings).kept
    assert kept is not None
    return kept


def look_again(
    kept: Kept | None, text: str, path: str = "/module.py", settings: Settings = SETTINGS
) -> Analysis:
    """The analysis that takes over from `kept`, after checking that it finds what a new one finds."""
    quick = analyse(Snapshot(path, text, is_edited=True, earlier=kept), settings)
    whole = analyse(Snapshot(path, text, is_edited=True), settings)
    assert quick.diagnostics == whole.diagnostics
    assert (quick.incomplete, quick.failures) == (whole.incomplete, whole.failures)
    return quick


def tells_the_same(quick: Analysis, places: list[Span]) -> None:
    """Check that an analysis tells at some places what a new one tells that looks at everything."""
    whole = analyse(Snapshot(quick.snapshot.path, quick.snapshot.text, is_edited=True), SETTINGS)
    found = told(quick, places)
    with from_everything():
        assert found == told(whole, places)


def entered_again(entered: list[str], before: str, after: str) -> set[str]:
    """What is entered when one text becomes another."""
    kept = first_look(before)
    del entered[:]
    analyse(Snapshot("/module.py", after, is_edited=True, earlier=kept), SETTINGS)
    again = set(entered)
    look_again(kept, after)
    return again


def test_only_what_was_edited_is_entered(entered: list[str]) -> None:
    assert entered_again(entered, HEAD, HEAD.replace("return ref + 1", "return ref + 2")) == {
        "second"
    }


def test_a_comment_makes_nothing_new(entered: list[str]) -> None:
    assert entered_again(entered, HEAD, HEAD.replace("def second", "# more\n\ndef second")) == set()


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("SIZE = 3", "SIZE = 4"),
        ("def loss(r):\n    return r[...].sum()", "def loss(r):\n    return r"),
        ("def loss(r):", "loss = None\n\n\ndef lost(r):"),
        ("SIZE = 3", "SIZE = 3\ndef first(loss):\n    pass"),
    ],
)
def test_what_names_it_is_entered(entered: list[str], old: str, new: str) -> None:
    assert "second" not in (again := entered_again(entered, HEAD, HEAD.replace(old, new)))
    assert "first" in again


@pytest.mark.parametrize(
    "statement",
    [
        "import functools",
        "TABLE.append(1)",
        "def bump():\n    global SIZE\n    SIZE = 4\n\n\nbump()",
        "x = jax.new_ref(0.0)\nx[...] = 1.0",
        "class Held:\n    pass\n\n\njax.tree_util.register_static(Held)",
    ],
)
def test_all_is_entered_where_it_cannot_be_told(entered: list[str], statement: str) -> None:
    longer = f"{HEAD}\n\n{statement}\n"
    assert entered_again(entered, HEAD, longer) == {"first", "second"}
    assert entered_again(entered, longer, HEAD) == {"first", "second"}


def test_a_module_that_ends_early_is_not_taken_over() -> None:
    ended = HEAD.replace("TABLE = []", "TABLE = []\nraise ValueError")
    look_again(first_look(HEAD), ended)
    assert analyse(Snapshot("/module.py", ended, is_edited=True), SETTINGS).kept is None


def test_what_is_called_is_no_entry(entered: list[str]) -> None:
    called = HEAD.replace("def first", "def third(x):\n    second(x)\n\n\ndef first")
    assert entered_again(entered, HEAD, called) == {"third"}
    assert entered_again(entered, called, HEAD) == {"second"}


def test_a_class_is_one(entered: list[str]) -> None:
    text = (
        HEAD
        + """

class Layer:
    def __init__(self):
        self.held = jax.new_ref(jnp.zeros(3))

    def read(self):
        return self.held + 1

    def other(self):
        return self.held[...]


def use(x):
    return Layer().read() + second(x)
"""
    )
    again = entered_again(entered, text, text.replace("jnp.zeros(3)", "jnp.zeros(4)"))
    assert again >= {"use", "other"}
    assert "first" not in again


def test_findings_move_with_their_statements() -> None:
    kept = first_look(HEAD)
    found = look_again(kept, "# one\n# two\n" + HEAD).diagnostics
    before = look_again(kept, HEAD).diagnostics
    assert {one.rule for one in found} == {"unbound-ref-gradient", "ref-as-array"}
    assert [one.span.start - 12 for one in found] == [one.span.start for one in before]
    assert any(one.related for one in found)


def test_other_statements_are_kept_while_one_is_broken(entered: list[str]) -> None:
    typed = HEAD.replace("return ref + 1", "return ref + (")
    assert "first" not in entered_again(entered, HEAD, typed)


def test_settings_are_part_of_it(entered: list[str]) -> None:
    kept = first_look(HEAD)
    del entered[:]
    settings = replace(SETTINGS, ignore=("ref-as-array",))
    look_again(kept, HEAD, settings=settings)
    assert {"first", "second"} <= set(entered)


def test_other_files_are_part_of_it(tmp_path: Path, entered: list[str]) -> None:
    other, path = tmp_path / "other.py", str(tmp_path / "module.py")
    text = f"from other import make\n{HEAD}\n\ndef third(x):\n    return make(x) + 1\n"
    other.write_text("import jax\n\ndef make(x):\n    return jax.new_ref(x)\n")
    os.utime(other, (1, 1))
    kept = first_look(text, path)
    del entered[:]
    analyse(Snapshot(path, text, is_edited=True, earlier=kept), SETTINGS)
    assert entered == []
    other.write_text("import jax\n\ndef make(x):\n    return jax.new_ref(x)[...]\n")
    assert "ref-as-array" in {
        one.rule for one in first_look(HEAD) and look_again(kept, HEAD).diagnostics
    }
    look_again(kept, text, path)


def test_a_file_that_comes_is_part_of_it(tmp_path: Path) -> None:
    path = str(tmp_path / "module.py")
    text = f"from other import make\n{HEAD}\n\ndef third(x):\n    return make(x) + 1\n"
    kept = first_look(text, path)
    (tmp_path / "other.py").write_text("import jax\n\ndef make(x):\n    return jax.new_ref(x)\n")
    assert len(look_again(kept, text, path).diagnostics) == 3


PLAIN = "import jax\n" + "\n\n".join(
    f"def freeze_{i}(x):\n    vjp = x.vjp({i})\n    return vjp + jax.numpy.sum(x)\n"
    for i in range(60)
)
"""It has words of refs, none of which is JAX's."""


def test_no_tree_is_made_of_an_edit_that_has_nothing_to_do_with_refs(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    analyse(Snapshot("/module.py", PLAIN, is_edited=True), SETTINGS)
    with monkeypatch.context() as patch:
        patch.delattr("jaxref.engine.parse")
        for edited_text in (PLAIN.replace("vjp(7)", "vjp(8)\n    x = 3"), f"x = 1\n{PLAIN}"):
            assert not analyse(
                Snapshot("/module.py", edited_text, is_edited=True), SETTINGS
            ).diagnostics
    edited_text = PLAIN.replace("x.vjp(7)", "jax.new_ref(x)\n    vjp + 1")
    found = analyse(Snapshot("/module.py", edited_text, is_edited=True), SETTINGS).diagnostics
    assert {one.rule for one in found} == {"ref-as-array"}


SHARED = f"""{HEAD}

TOTAL = jax.new_ref(0.0)
LIST = [jax.new_ref(0.0)]
_, SHARED_VJP = jax.vjp(lambda r: r[...], TOTAL)
GRAD = jax.grad(loss)
STEP = jax.jit(loss)


def add(x):
    TOTAL[...] += x


def freeze(x):
    return jax.tree.map(jax.ref.freeze, LIST)


def bind(x):
    return SHARED_VJP.with_refs(x)(1.0)


def differentiate(x):
    return GRAD(jax.new_ref(x))


def step(x):
    return STEP(jax.new_ref(x))
"""


def test_a_hover_makes_what_it_is_about(entered: list[str]) -> None:
    edited_text = HEAD.replace("return ref + 1", "return ref + 2")
    quick = look_again(first_look(HEAD), edited_text)
    del entered[:]
    described = quick.describe(edited_text.index("ref)\n    f_vjp"))
    assert described is not None and "made at line 13" in described.line
    assert entered == ["first"]
    assert quick.describe(edited_text.index("ref + 2")) is not None
    assert entered == ["first"]


def test_a_hover_makes_only_who_was_the_first_to_see_it(entered: list[str]) -> None:
    users = "".join(f"\n\ndef use_{i}(x):\n    return loss(jax.new_ref(x))\n" for i in range(5))
    kept = first_look(HEAD + users)
    text = f"# more\n{HEAD}{users}"
    quick = look_again(kept, text)
    del entered[:]
    assert quick.describe(text.index("r[...]")) is not None
    assert entered == ["first"]
    assert quick.describe(text.index("sum()")) is None
    assert entered == ["first"]
    places = [Span(at, at) for at in (text.index("r[...]"), text.index("sum()"))]
    tells_the_same(quick, places)


@pytest.mark.parametrize(
    ("words", "names"),
    [
        ("TOTAL = ", {"add", "bind"}),
        ("LIST = [", {"freeze"}),
        ("STEP = ", {"step"}),
    ],
)
def test_what_the_module_made_is_told_of_with_what_uses_it(
    entered: list[str], words: str, names: set[str]
) -> None:
    edited_text = f"{SHARED}\n\ndef new(x):\n    return jax.new_ref(x)\n"
    quick = look_again(first_look(SHARED), edited_text)
    del entered[:]
    at = edited_text.index(words) + len(words)
    assert quick.describe(at) is not None
    assert names <= set(entered)
    assert "second" not in entered
    tells_the_same(quick, [Span(at, at)])


def test_fixes_know_of_all_that_has_to_do_with_them(entered: list[str]) -> None:
    edited_text = f"{SHARED}\n\ndef new(x):\n    return jax.new_ref(x)\n"
    quick = look_again(first_look(SHARED), edited_text)
    del entered[:]
    (found,) = (one for one in quick.diagnostics if one.rule == "ref-as-array")
    (fixed,), failures = quick.fixed([found])
    assert fixed.fixes and not failures
    assert entered == ["second"]
    places = [one.span for one in quick.diagnostics]
    tells_the_same(quick, [Span(span.start, span.start) for span in places])


def test_nothing_is_taken_over_where_an_entry_does_what_outlives_it(entered: list[str]) -> None:
    text = f"{HEAD}\n\nclass Held:\n    pass\n\n\ndef last(x):\n    return jax.new_ref(x)\n"
    leaking = text.replace(
        "    return jax.new_ref", "    jax.tree_util.register_static(Held)\n    return jax.new_ref"
    )
    kept = first_look(text)
    del entered[:]
    quick = analyse(Snapshot("/module.py", leaking, is_edited=True, earlier=kept), SETTINGS)
    assert {"first", "second", "last"} <= set(entered)
    at = leaking.index("ref + 1")
    tells_the_same(quick, [Span(at, at)])
    assert quick.kept is None


def test_what_is_cancelled_is_left_to_be_made() -> None:
    asked_to_stop = False
    long = HEAD.replace("    return ref + 1", "    x = x + 1\n" * 300 + "    return ref + 1")
    kept = first_look(long)
    text = f"# more\n{long}"
    quick = analyse(
        Snapshot("/module.py", text, is_edited=True, earlier=kept), SETTINGS, lambda: asked_to_stop
    )
    asked_to_stop = True
    at = text.index("ref + 1")
    with pytest.raises(AnalysisCancelled):
        quick.describe(at)
    asked_to_stop = False
    tells_the_same(quick, [Span(at, at)])


@pytest.mark.parametrize("method", ["statement_ends", "kept_entry", "judged", "kept"])
def test_without_taking_over_where_that_fails(monkeypatch: pytest.MonkeyPatch, method: str) -> None:
    kept = first_look(HEAD)

    def fail(*arguments: object) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Reuser, method, fail)
    text = f"{HEAD}\n"
    quick = analyse(Snapshot("/module.py", text, is_edited=True, earlier=kept), SETTINGS)
    assert len(quick.diagnostics) == 2
    assert quick.describe(text.index("ref + 1")) is not None
    (failure,) = quick.failures
    assert failure.startswith("taking entries over failed: ZeroDivisionError at ")


@pytest.mark.parametrize("seed", range(12))
def test_random_edits(seed: int) -> None:
    dice = random.Random(seed)
    text = module_of_functions(dice.sample(CORPUS, 5), dice)
    kept: Kept | None = first_look(text)
    taken = 0
    for _ in range(12):
        text = edited(text, dice)
        quick = look_again(kept, text)
        tells_the_same(quick, places_in(text, dice, 6))
        taken += quick.kept is not None and bool(quick.kept.entries)
        kept = quick.kept
    assert taken


def module_of_functions(paths: list[Path], dice: random.Random) -> str:
    """One module of several programs, of which most have their statements in a function that nobody calls.

    Of some the first assignments are left to the module, so that the function uses what the module made.
    """
    imports: list[str] = []
    parts: list[str] = []
    for number, path in enumerate(paths):
        lines = path.read_text(encoding="utf-8").split("\n")
        rest: list[str] = []
        left = dice.choice([0, 0, 3, 6])
        for node in ast.parse("\n".join(lines)).body:
            decorators = getattr(node, "decorator_list", ())
            block = lines[
                min([node.lineno, *(one.lineno for one in decorators)]) - 1 : node.end_lineno
            ]
            if isinstance(node, (ast.Import, ast.ImportFrom)):
                imports += block
            elif isinstance(node, (ast.FunctionDef, ast.ClassDef)):
                parts += [*block, ""]
            elif isinstance(node, ast.Assign) and left and not rest:
                parts += block
                left -= 1
            elif not isinstance(node, ast.Expr) or not isinstance(node.value, ast.Constant):
                rest += ["    " + line for line in block]
        parts += [f"def program_{number}():", *rest, "    pass", ""]
    return "\n".join([*dict.fromkeys(imports), "", *parts])

"""What jedi answers through the resolver: helpers elsewhere, packages with stubs, annotations."""

from __future__ import annotations

import os
import sys
import threading
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from jaxref.resolve.questions import JediBackend
from jaxref.resolve.resolver import Resolver
from jaxref.settings import Settings
from jaxref.source.text import Text


@pytest.fixture(scope="module")
def backend(tmp_path_factory: pytest.TempPathFactory) -> Iterator[JediBackend]:
    backend = JediBackend(str(tmp_path_factory.mktemp("trees")))
    yield backend
    assert backend.failures == 0


@pytest.fixture(autouse=True)
def no_environment(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)


class Project:
    """A project in a folder, with a virtual environment of made-up packages."""

    def __init__(self, folder: Path, backend: JediBackend) -> None:
        self.folder = folder
        self.backend = backend
        self.site_packages = folder / ".venv/lib/python3.13/site-packages"
        self.site_packages.mkdir(parents=True)
        (folder / ".venv/pyvenv.cfg").write_text("version = 3.13.1\n")
        (folder / "pyproject.toml").write_text("")

    def add(self, files: Mapping[str, str]) -> None:
        for name, text in files.items():
            path = self.folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text)

    def install(self, files: Mapping[str, str]) -> None:
        prefix = os.path.relpath(self.site_packages, self.folder)
        self.add({os.path.join(prefix, name): text for name, text in files.items()})

    def resolver(self, **options: object) -> Resolver:
        path = str(self.folder / "main.py")
        return Resolver(Settings(), path=path, backend=self.backend, **options)  # type: ignore[arg-type]

    def type_at(self, text: str, resolver: Resolver | None = None) -> str | None:
        """The type of the expression that ends at the mark `<|>`."""
        return self._ask((resolver or self.resolver()).return_type, text)

    def annotation_at(self, text: str) -> str | None:
        return self._ask(self.resolver().annotation_type, text)

    def _ask(self, question: object, text: str) -> str | None:
        before, _, after = text.partition("<|>")
        place = Text(before).position(len(before))
        path = str(self.folder / "main.py")
        answer = question(path, before + after, place.line, place.column - 1)  # type: ignore[operator]
        assert answer is None or isinstance(answer, str)
        return answer


@pytest.fixture
def project(tmp_path: Path, backend: JediBackend) -> Project:
    return Project(tmp_path, backend)


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        ("jax.new_ref(0.)", "jax.Ref"),
        ("jax.ref.new_ref(0.)", "jax.Ref"),
        ("jax.empty_ref(1)", "jax.Ref"),
        ("jax.experimental.mutable_array(0.)", "jax.Ref"),
        ("jax.freeze(r)", "jax.Array"),
        ("jax.new_ref(0.)[...]", "jax.Array"),
        ("jax.vjp(f, 1.)[1]", "jax.VJP"),
        ("jax.vjp(f, 1., has_aux=True)[1]", "jax.VJP"),
        ("jax.vjp(f, 1.)[1].with_logs()", "jax.VJP"),
        ("jax.vjp(f, 1.)[1].with_refs(r)", "jax.BoundVJP"),
        ("jax.fwd_and_bwd(f, 0)[0](1.)[1]", "jax.VJP"),
        ("jax.jit(g)(1)", "jax.Ref"),
        ("jax.vmap(jax.jit(jax.checkpoint(g)))(1)", "jax.Ref"),
        ("jax.device_put(r)", "jax.Ref"),
        ("jax.lax.stop_gradient(r)", "jax.Ref"),
        ("jax.lax.fori_loop(0, 3, f, r)", "jax.Ref"),
        ("jax.lax.scan(f, r, None)[0]", "jax.Ref"),
        ("jnp.zeros(3)", "jax.Array"),
        ("jnp.zeros(3).at[0].add(1)", "jax.Array"),
        ("jnp.zeros(3).sum().T", "jax.Array"),
        ("jnp.linalg.eigh(1)[0]", "jax.Array"),
        ("jax.nn.relu(1)", "jax.Array"),
        ("jax.nn.initializers.lecun_normal()(key, (3,))", "jax.Array"),
        ("jax.random.split(key)", "jax.Array"),
        ("jax.scipy.special.erf(1.)", "jax.Array"),
        ("jax.ad.DontWant()", "jax.ad.DontWant"),
        ("jax.ad.GradValue()", "jax.ad.GradValue"),
        ("jax.tree_util.Partial(f)", "jax.tree_util.Partial"),
        ("jax.ShapeDtypeStruct((3,), float)", "jax.ShapeDtypeStruct"),
        ("jax.grad(f)", "typing.Callable"),
        ("jax.no_such_thing(1)", None),
        ("jax.tree.map(f, r)", None),
    ],
)
def test_jax_itself_without_jax_installed(
    project: Project, expression: str, expected: str | None
) -> None:
    text = (
        "import jax\nimport jax.numpy as jnp\nr = jax.new_ref(0.)\nkey = jax.random.key(0)\n"
        "def f(x): return x\ndef g(x): return jax.new_ref(x)\n"
    )
    assert project.type_at(text + expression + "<|>") == expected


@pytest.mark.parametrize(
    "imports",
    [
        "from jax import new_ref",
        "from jax.ref import new_ref",
        "import jax.ref as references; new_ref = references.new_ref",
        "import jax as j\nnew_ref = j.new_ref",
    ],
)
def test_import_styles(project: Project, imports: str) -> None:
    assert project.type_at(f"{imports}\nnew_ref(0.)<|>\n") == "jax.Ref"


def test_through_helpers_of_other_modules(project: Project) -> None:
    project.add(
        {
            "src/app/__init__.py": "from .linear import linearise as reexported\n",
            "src/app/linear.py": (
                "import jax\n"
                "from app.state import State\n"
                "def linearise(loss, *primals):\n    return jax.vjp(loss, *primals)\n"
            ),
            "src/app/state.py": (
                "import dataclasses, functools, jax\n"
                "from typing import NamedTuple\n"
                "@dataclasses.dataclass\nclass State:\n    counter: jax.Ref\n    name: str\n"
                "class Pair(NamedTuple):\n    left: jax.Ref\n    right: 'jax.Array'\n"
                "class Holder:\n"
                "    def __init__(self):\n        self.ref = jax.new_ref(0.)\n"
                "    @property\n    def lazily(self):\n        return self.ref\n"
                "make = functools.partial(jax.new_ref, 0.)\n"
            ),
        }
    )
    head = "from app import reexported\nfrom app.state import State, Pair, Holder, make\n"
    assert project.type_at(head + "y, f_vjp<|> = reexported(1, 2)\n") == "jax.VJP"
    assert project.type_at(head + "f_vjp = reexported(1, 2)[1]<|>\n") == "jax.VJP"
    assert project.type_at(head + "State(1, '').counter<|>\n") == "jax.Ref"
    assert project.type_at(head + "Pair(1, 2).left<|>\n") == "jax.Ref"
    assert project.type_at(head + "Pair(1, 2).right<|>\n") == "jax.Array"
    assert project.type_at(head + "Holder().ref<|>\n") == "jax.Ref"
    assert project.type_at(head + "Holder().lazily<|>\n") == "jax.Ref"
    assert project.type_at(head + "make()<|>\n") == "jax.Ref"
    assert project.type_at(head + "Holder()<|>\n") == "app.state.Holder"


def test_third_party_packages(project: Project) -> None:
    project.install(
        {
            "plain/__init__.py": (
                "import jax\nimport numpy\n"
                "def counter(): return jax.new_ref(0)\n"
                "def annotated(x) -> 'jax.Ref': return compiled_thing(x)\n"
            ),
            "inline/__init__.py": "from _inline_c import *\n",
            "inline/__init__.pyi": "import jax\ndef pull(x: object) -> jax.VJP: ...\n",
            "inline/part.py": "def value(): return unknowable()\n",
            "inline/part.pyi": "from jax import Ref\ndef value() -> Ref: ...\n",
            "elsewhere/__init__.py": "",
            "elsewhere-stubs/__init__.pyi": "from jax import Array\ndef array() -> Array: ...\n",
            "space/inner.py": "import jax\ndef ref(): return jax.new_ref(1)\n",
        }
    )
    for expression, expected in (
        ("plain.counter()", "jax.Ref"),
        ("plain.annotated(1)", "jax.Ref"),
        ("inline.pull(1)", "jax.VJP"),
        ("inline.part.value()", "jax.Ref"),
        ("elsewhere.array()", "jax.Array"),
        ("space.inner.ref()", "jax.Ref"),
        ("numpy.zeros(1)", "numpy.ndarray"),
        ("numpy.random.default_rng(0).normal()", "numpy.ndarray"),
        ("numpy.linalg.eigh(1)[0].T", "numpy.ndarray"),
    ):
        head = "import plain, inline, inline.part, elsewhere, space.inner, numpy\n"
        assert project.type_at(f"{head}{expression}<|>\n") == expected, expression


@pytest.mark.parametrize(
    ("parameter", "expected"),
    [
        ("ref<|>: jax.Ref", "jax.Ref"),
        ("ref<|>: 'jax.Ref'", "jax.Ref"),
        ("ref<|>: Alias", "jax.Ref"),
        ("ref<|>: Array = None", "jax.Array"),
        ("ref: jax.Ref<|>", "jax.Ref"),
        ("ref: Alias<|>", "jax.Ref"),
        ("ref<|>: Mine", "main.Mine"),
        ("ref<|>: jax.Ref | jax.Array", None),
        ("ref<|>: Unheard", None),
        ("ref<|>", None),
        ("ref<|>: 'jax.Ref | None' = None", None),
        ("ref<|>=jax.new_ref(0)", "jax.Ref"),
    ],
)
def test_annotations(project: Project, parameter: str, expected: str | None) -> None:
    text = (
        "from __future__ import annotations\nimport jax\nfrom jax import Array\n"
        "Alias = jax.Ref\nclass Mine: ...\n"
        f"def loss(x, {parameter}):\n    return x\n"
    )
    assert project.annotation_at(text) == expected


def test_annotated_targets(project: Project) -> None:
    text = (
        "import dataclasses, jax\nref: 'jax.Ref' = unknown()\n"
        "@dataclasses.dataclass\nclass State:\n    {}: {}\n    name: str = ''\n"
    )
    for annotation in ("jax.Ref", "'jax.Ref'"):
        assert project.annotation_at(text.format("counter<|>", annotation)) == "jax.Ref"
    assert project.annotation_at("import jax\nref<|>: 'jax.Ref' = unknown()\n") == "jax.Ref"


def test_parameter_without_annotation_is_what_calls_pass(project: Project) -> None:
    text = "import jax\ndef f(ref<|>): return ref\nf(jax.new_ref(0))\n"
    assert project.annotation_at(text) == "jax.Ref"
    assert project.annotation_at(text + "f(jax.numpy.ones(1))\n") is None


def test_a_class_is_no_instance_of_itself(project: Project) -> None:
    assert project.type_at("import jax\njax.Ref<|>\n") is None
    assert project.type_at("import jax\njax.new_ref<|>\n") is None


def test_several_possibilities_are_none(project: Project) -> None:
    text = "import jax\ndef f(x):\n    return jax.new_ref(0) if x else jax.numpy.ones(1)\n"
    assert project.type_at(text + "f(1)<|>\n") is None
    names = project.resolver().names(str(project.folder / "main.py"), text + "f(1)\n", 4, 4)
    assert {name.full_name for name in names} == {"jax.Ref", "jax.Array"}


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_places_count_characters_and_all_line_ends(project: Project, end: str) -> None:
    text = f"import jax{end}s = 'é😀' ; r = jax.new_ref('😀')<|>{end}"
    assert project.type_at(text) == "jax.Ref"


@pytest.mark.parametrize(("line", "column"), [(0, 0), (99, 0), (1, 99), (-1, -5), (2, 1)])
def test_places_outside_of_the_text(project: Project, line: int, column: int) -> None:
    failures = project.backend.failures
    path = str(project.folder / "main.py")
    assert project.resolver().names(path, "import jax\n", line, column) == ()
    assert project.backend.failures == failures


def test_broken_code(project: Project) -> None:
    text = "import jax\ndef broken(:\n  x = = 3\nr = jax.new_ref(0)<|>\nwhile (\n"
    assert project.type_at(text) == "jax.Ref"


def test_answers_follow_the_disk_and_the_editor(project: Project) -> None:
    text = "from helper import make\nmake()<|>\n"
    assert project.type_at(text) is None
    project.add({"helper.py": "import jax\ndef make(): return jax.new_ref(0)\n"})
    project.backend.forget()
    assert project.type_at(text) == "jax.Ref"
    project.add({"helper.py": "import jax\ndef make(): return jax.vjp(0)[1]  # longer\n"})
    assert project.type_at(text) == "jax.VJP"
    overlay = {
        str(project.folder / "helper.py"): "import jax\ndef make(): return jax.numpy.ones(1)\n"
    }
    assert project.type_at(text, project.resolver(overlay=overlay)) == "jax.Array"
    assert project.type_at(text) == "jax.VJP"


def test_types_rest_on_the_files_that_jedi_read(project: Project) -> None:
    project.add({"helper.py": "from deeper import make\n", "deeper.py": "def make(): return 1\n"})
    project.install({"package.py": "def thing(): return 1\n"})
    resolver = project.resolver()
    text = "import helper, package\nhelper.make()<|> + package.thing()\n"
    assert project.type_at(text, resolver) == "builtins.int"
    assert resolver.dependencies == {
        str(project.folder / "helper.py"),
        str(project.folder / "deeper.py"),
    }


def test_an_open_module_wins_over_an_unchanged_file(project: Project) -> None:
    project.add({"helper.py": "import jax\ndef make(): return jax.new_ref(0)\n"})
    text = "from helper import make\nmake()<|>\n"
    for _ in range(2):
        assert project.type_at(text) == "jax.Ref"
        overlay = {str(project.folder / "helper.py"): "def make(): return 1\n"}
        assert project.type_at(text, project.resolver(overlay=overlay)) == "builtins.int"


def test_late_answers(project: Project) -> None:
    called = threading.Event()
    project.add({"late.py": "import jax\ndef make(): return jax.new_ref(0)\n"})
    text = "from late import make\nmake()<|>\n"
    resolver = project.resolver(wait=False, when_late=called.set)
    assert project.type_at(text, resolver) is None
    assert resolver.pending
    assert project.type_at("x = 1\nx<|>\n") == "builtins.int", "the late answer is there by now"
    assert project.type_at(text, resolver) is None, "one pass sees one state of knowledge"
    assert not called.is_set()
    resolver.finish()
    assert called.wait(20)
    resolver = project.resolver(wait=False)
    assert project.type_at(text, resolver) == "jax.Ref"
    assert not resolver.pending
    called.clear()
    resolver.finish()
    assert not called.is_set()


class Gate:
    """Holds jedi's thread inside one question until it is opened."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        from jaxref.resolve.jedi_backend import Oracle

        self.opened, self.reached = threading.Event(), threading.Event()
        self.asked: list[str] = []
        infer = Oracle.infer

        def held(oracle: Oracle, question: object) -> object:
            self.asked.append(question.text)  # type: ignore[attr-defined]
            if "HELD" in question.text:  # type: ignore[attr-defined]
                self.reached.set()
                assert self.opened.wait(20)
            return infer(oracle, question)  # type: ignore[arg-type]

        monkeypatch.setattr(Oracle, "infer", held)


def test_one_call_after_the_last_answer_and_none_for_old_texts(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    calls: list[str] = []
    last = threading.Event()

    def note(name: str) -> None:
        calls.append(name)
        if name == "new":
            last.set()

    for name in ("old", "new"):
        resolver = project.resolver(wait=False, when_late=lambda name=name: note(name))
        for place in ("jax<|>.numpy", "jax.numpy<|>"):
            head = "HELD = 1\n" if name == "old" else ""
            project.type_at(f"import jax.numpy\n{head}{place} # {name}\n", resolver)
        resolver.finish()
        if name == "old":
            assert gate.reached.wait(20)
    gate.opened.set()
    assert last.wait(20)
    assert calls == ["new"]
    assert sum("old" in text for text in gate.asked) == 1


def test_a_stuck_question_costs_itself_only(
    project: Project, monkeypatch: pytest.MonkeyPatch
) -> None:
    gate = Gate(monkeypatch)
    import jaxref.resolve.questions as questions

    monkeypatch.setattr(questions, "ANSWER_SECONDS", 0.3)
    try:
        assert project.type_at("HELD = 1\nHELD<|>\n") is None
        started = time.monotonic()
        for number in range(20):
            assert project.type_at(f"other = {number}\nother<|>\n") is None
        assert time.monotonic() - started < 2
    finally:
        gate.opened.set()
    monkeypatch.setattr(questions, "ANSWER_SECONDS", 20)
    assert project.type_at("other = 3\nother<|>\n") == "builtins.int"


def test_an_exception_in_jedi_costs_one_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from jaxref.resolve.jedi_backend import Oracle

    backend = JediBackend(str(tmp_path / "trees"))
    project = Project(tmp_path, backend)
    infer = Oracle.infer

    def failing(oracle: Oracle, question: object) -> object:
        if "boom" in question.text:  # type: ignore[attr-defined]
            raise RecursionError
        return infer(oracle, question)  # type: ignore[arg-type]

    monkeypatch.setattr(Oracle, "infer", failing)
    assert project.type_at("boom = 1\nboom<|>\n") is None
    assert backend.failures == 1
    assert project.type_at("fine = 1\nfine<|>\n") == "builtins.int"


def test_trees_cut_short_on_disk_are_thrown_away(tmp_path: Path) -> None:
    cache = tmp_path / "trees"
    script = (
        "import sys\n"
        "from jaxref.resolve.questions import JediBackend, Question, SearchPath\n"
        "backend = JediBackend(sys.argv[1])\n"
        "text = 'import jax\\njax.new_ref(0)\\n'\n"
        "names = backend.ask(Question(sys.argv[2], text, 2, 14, SearchPath()), 60)\n"
        "print([name.full_name for name in names], backend.failures)\n"
    )
    import subprocess

    def run() -> str:
        return subprocess.run(
            [sys.executable, "-c", script, str(cache), str(tmp_path / "m.py")],
            capture_output=True,
            text=True,
            check=True,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
        ).stdout.strip()

    assert run() == "['jax.Ref'] 0"
    pickled = list(cache.rglob("*.pkl"))
    assert pickled
    for path in pickled:
        path.write_bytes(path.read_bytes()[:100])
    assert run() == "['jax.Ref'] 0"

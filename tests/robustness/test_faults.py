"""Whatever fails inside costs one answer, is in the log without source text, and is told once."""

from __future__ import annotations

import os
import pickle
import re
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

sys.path.append(str(Path(__file__).parents[1] / "lsp"))

from client import PATIENCE, Client, at
from faulty_server import FUNCTIONS

from jaxref.engine import Snapshot, analyse
from jaxref.rules.registry import all_rules
from jaxref.settings import Settings

SECRET = "our_secret_name"
PATH = "/nowhere/sound.py"
STEP = f"""\
import jax
import jax.numpy as jnp
{SECRET} = jax.new_ref(jnp.ones(3))
value, f_vjp = jax.vjp(lambda ref: jnp.sum(ref[...]), {SECRET})
grads = f_vjp(1.0)
more = f_vjp(2.0)  # jaxref: ignore[unbound-ref-gradient]
"""
ALL_CODES = {"unbound-ref-gradient"}
INSTALLED = """\
import jax
import installed
value, f_vjp = jax.vjp(lambda ref: ref[...], installed.make())
f_vjp(1.0)
"""
LATER = {
    "jaxref.describe:Descriptions.at",
    "jaxref.fixes.builders:fixes_for",
    "jaxref.lsp.edits:by_part",
    "jaxref.fixes.silencing:silencing_edit",
}
"""What is not needed for diagnostics."""
SCREENED = {"jaxref.describe:Descriptions.all"}
"""What the server has no use for."""


@pytest.fixture
def faulty(tmp_path: Path) -> Iterator[Client]:
    yield from _server(tmp_path)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Client]:
    yield from _server(tmp_path_factory.mktemp("project"))


def _server(folder: Path, *arguments: str) -> Iterator[Client]:
    program = [sys.executable, str(Path(__file__).with_name("faulty_server.py")), *arguments]
    client = Client(program=program)
    client.initialize(folder=folder)
    yield client
    code = client.stop()
    client.kill()
    assert code == 0


def codes(client: Client, uri: str, text: str) -> list[str]:
    """The rules of what is found in a text."""
    mark = client.mark()
    client.open(uri, text)
    found = sorted(one["code"] for one in client.published(uri, mark, 1)["diagnostics"])
    client.close(uri)
    return found


def shown(client: Client) -> list[str]:
    """What was shown to the user."""
    return [
        one["params"]["message"]
        for one in list(client.received)
        if one.get("method") == "window/showMessage"
    ]


def logged(client: Client, wanted: str) -> str:
    """The log as soon as `wanted` is in it."""
    until = time.monotonic() + PATIENCE
    while wanted not in (log := client.errors.decode(errors="replace")):
        assert time.monotonic() < until, log
        time.sleep(0.02)
    return log


def example(rule: str) -> str:
    """A program in which the rule has something to say: from the rule's own page."""
    page = (Path(__file__).parents[1] / "rules" / f"{rule}.md").read_text(encoding="utf-8")
    for fence in re.findall(r"^```python[^\n]*\n(.*?)^```$", page, re.MULTILINE | re.DOTALL):
        text = f"{fence}\n{STEP}"
        if rule in {one.rule for one in analyse(Snapshot(PATH, text), Settings()).diagnostics}:
            return text
    raise AssertionError(f"no example of {rule}")


@pytest.mark.parametrize("rule", [one.name for one in all_rules() if one.default])
def test_a_rule_that_fails_costs_its_own_findings(shared: Client, rule: str) -> None:
    text = example(rule)
    sound = codes(shared, f"file://{PATH}", text)
    found = codes(shared, "file:///nowhere/faulty.py", f"{text}# fault: rule {rule}\n")
    assert rule in sound
    # What only says more than an error does at the same place may come instead.
    assert set(found) >= set(sound) - {rule, "unused-ignore"}
    assert rule not in found
    log = logged(shared, f"rule {rule} failed: Planted at ")
    assert SECRET not in log
    assert len(shown(shared)) == 1, "all such failures have one message"


@pytest.mark.parametrize(
    "name", [one for one in FUNCTIONS if one not in LATER | SCREENED and "Oracle" not in one]
)
def test_a_function_that_fails_costs_one_file(faulty: Client, name: str) -> None:
    sound = codes(faulty, "file:///nowhere/sound.py", STEP)
    assert sound == sorted(ALL_CODES)
    found = codes(faulty, "file:///nowhere/faulty.py", f"{STEP}# fault: {name}\n")
    assert set(found) <= ALL_CODES
    log = logged(faulty, "Planted")
    assert re.search(r"jaxref \d+\.\d+.*Python \d+\.\d+.*Linux|macOS|Windows", log), (
        "a report needs versions"
    )
    assert "faulty_server.py" in log, "and the place"
    assert SECRET not in log
    assert SECRET not in "".join(shown(faulty))
    assert len(shown(faulty)) == 1
    assert codes(faulty, "file:///nowhere/faulty.py", f"{STEP}# fault: {name}\n") == found
    assert len(shown(faulty)) == 1, "not again"
    assert codes(faulty, "file:///nowhere/sound.py", STEP) == sound


def test_a_request_that_fails_costs_its_answer(faulty: Client) -> None:
    uri = "file:///nowhere/a.py"
    place = at(uri, 4, 9)
    for number, (name, ask) in enumerate(
        (
            ("jaxref.describe:Descriptions.at", lambda: faulty.error("textDocument/hover", place)),
            (
                "jaxref.lsp.edits:by_part",
                lambda: faulty.error("textDocument/codeAction", whole(uri)),
            ),
            (
                "jaxref.fixes.silencing:silencing_edit",
                lambda: faulty.error("textDocument/codeAction", whole(uri)),
            ),
        )
    ):
        faulty.open(uri, f"{STEP}# fault: {name}\n", number)
        assert len(faulty.published(uri, version=number)["diagnostics"]) == 1
        assert SECRET not in str(ask())
        assert len(shown(faulty)) == number + 1
    faulty.change(uri, 9, STEP)
    assert faulty.hover(uri, 4, 9) is not None
    assert faulty.actions(uri)
    log = logged(faulty, "silencing_edit")
    assert log.count("\nPlanted\n") == 3
    assert SECRET not in log


def test_a_fix_that_fails_costs_itself(faulty: Client) -> None:
    uri = "file:///nowhere/a.py"
    faulty.open(uri, f"{STEP}# fault: jaxref.fixes.builders:fixes_for\n")
    assert len(faulty.published(uri, version=1)["diagnostics"]) == 1
    for _ in range(2):
        titles = [one["title"] for one in faulty.actions(uri)]
        assert titles == ["Ignore unbound-ref-gradient on this line"]
    assert len(shown(faulty)) == 1
    log = logged(faulty, "fixes for unbound-ref-gradient failed: Planted at ")
    assert log.count("fixes for unbound-ref-gradient failed: Planted at ") == 1
    assert SECRET not in log
    faulty.change(uri, 2, STEP)
    assert any(one.get("isPreferred") for one in faulty.actions(uri))


def whole(uri: str) -> dict[str, Any]:
    """A request for all actions."""
    where = {"start": {"line": 0, "character": 0}, "end": {"line": 99, "character": 0}}
    return {"textDocument": {"uri": uri}, "range": where, "context": {"diagnostics": []}}


@pytest.mark.parametrize(
    "name",
    ["jaxref.resolve.jedi_backend:Oracle.infer", "jaxref.resolve.jedi_backend:Oracle._script"],
)
def test_type_inference_that_fails(tmp_path: Path, name: str) -> None:
    packages = tmp_path / ".venv" / "lib" / "python3.13" / "site-packages"
    (packages / "installed").mkdir(parents=True)
    (tmp_path / ".venv" / "pyvenv.cfg").write_text("home = /usr/bin\nversion = 3.13.0\n")
    (packages / "installed" / "__init__.py").write_text(
        "from installed.inner import Kind\ndef make() -> Kind: ...\n"
    )
    (packages / "installed" / "inner.py").write_text("import jax\nKind = jax.Ref\n")
    uri, other = (tmp_path / "main.py").as_uri(), (tmp_path / "other.py").as_uri()
    for client in _server(tmp_path):
        text = f"{INSTALLED}{SECRET} = 1\n# fault: {name}\n"
        client.open(uri, text)
        client.published(uri)
        client.wait_for("window/showMessage")
        assert client.publications(uri)[-1]["diagnostics"] == []
        # What fails is told by the text that was looked at last: that must not be this one meanwhile.
        client.close(uri)
        client.open(other, INSTALLED)
        client.wait(lambda one: found_in(one, other) == ["unbound-ref-gradient"])
        client.open(uri, f"\n{text}", 2)
        client.published(uri, version=2)
        log = logged(client, "inferring a type")
        assert SECRET not in log
        assert len(shown(client)) == 1


def found_in(message: dict[str, Any], uri: str) -> list[str] | None:
    """The rules of what a message says was found in a file; None for other messages."""
    if message.get("method") != "textDocument/publishDiagnostics":
        return None
    params = message["params"]
    return [one["code"] for one in params["diagnostics"]] if params["uri"] == uri else None


def test_what_exceptions_say_is_logged_where_it_is_allowed(tmp_path: Path) -> None:
    for client in _server(tmp_path, "--debug"):
        codes(client, "file:///nowhere/a.py", f"{STEP}# fault: rule unbound-ref-gradient\n")
        assert "Planted: while reading" in logged(client, SECRET)


ASK = """\
import sys
from jaxref.resolve.questions import JediBackend, Question, SearchPath
backend = JediBackend(sys.argv[1])
text = 'import jax\\njax.new_ref(0)\\n'
names = backend.ask(Question(sys.argv[2], text, 2, 14, SearchPath()), 60)
print([name.full_name for name in names], backend.failures)
"""
DAMAGED = {
    "empty": b"",
    "no pickle": b"\x80\x05garbage",
    "something else": pickle.dumps({"a": 1}),
    "of a module that is not there": b"cno_such_module\nThing\n.",
    "of a class that is not there": b"cparso.tree\nNoSuchClass\n.",
    "endless": b"\x80\x05" + b"(" * 100_000,
    "too large": b"\x80\x05\x8e\xff\xff\xff\xff\xff\xff\xff\x7f",
}


@pytest.mark.parametrize("damage", DAMAGED)
def test_a_damaged_tree_on_disk_costs_nothing(tmp_path: Path, damage: str) -> None:
    cache = tmp_path / "trees"

    def ask() -> str:
        return subprocess.run(
            [sys.executable, "-c", ASK, str(cache), str(tmp_path / "m.py")],
            capture_output=True,
            text=True,
            check=True,
            timeout=120,
            env={**os.environ, "PYTHONPATH": os.pathsep.join(filter(None, sys.path))},
        ).stdout.strip()

    assert ask() == "['jax.Ref'] 0"
    pickles = list(cache.rglob("*.pkl"))
    assert pickles
    for path in pickles:
        path.write_bytes(DAMAGED[damage])
        ahead = time.time() + 60
        os.utime(path, (ahead, ahead))
    assert ask() == "['jax.Ref'] 0"
    assert ask() == "['jax.Ref'] 0"

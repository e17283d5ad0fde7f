"""The whole server with the real analysis: what a user meets."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from client import ENCODINGS, Client, apply_edits, offset, position

STEP = """\
import jax
import jax.numpy as jnp


def loss(state_ref, x):
    return jnp.sum(state_ref[...] * x)


state_ref = jax.new_ref(jnp.ones(3))
x = jnp.ones(3)
value, f_vjp = jax.vjp(loss, state_ref, x)
label, grads = "é😀", f_vjp(1.0)
"""


@pytest.fixture(scope="module", params=ENCODINGS)
def talk(request: pytest.FixtureRequest) -> Iterator[tuple[Client, str]]:
    """The server as users start it, and the encoding."""
    client = Client(["server"], program=[sys.executable, "-m", "jaxref"])
    client.initialize(encoding=request.param)
    yield client, request.param
    code = client.stop()
    client.kill()
    assert code == 0


def text_at(text: str, where: Any, encoding: str) -> str:
    """The text of a range."""
    start, end = (offset(text, where[side], encoding) for side in ("start", "end"))
    return text[start:end]


def test_from_the_finding_to_the_fix(talk: tuple[Client, str], tmp_path: Path) -> None:
    client, encoding = talk
    uri = (tmp_path / "step.py").as_uri()
    client.open(uri, STEP)
    (found,) = client.published(uri)["diagnostics"]
    assert found["code"] == "unbound-ref-gradient"
    assert found["severity"] == 1
    assert "`state_ref`" in found["message"]
    assert text_at(STEP, found["range"], encoding) == "f_vjp(1.0)"
    places = [
        text_at(STEP, one["location"]["range"], encoding) for one in found["relatedInformation"]
    ]
    assert any(one.startswith("jax.vjp(") for one in places)
    assert any(one.startswith("jax.new_ref(") for one in places)

    there = found["range"]["start"]
    contents = client.hover(uri, there["line"], there["character"])["contents"]["value"]
    assert "`state_ref`" in contents
    assert "`Ref{float32[3]}`" in contents
    assert client.hover(uri, 3, 0) is None

    actions = client.actions(uri, found["range"], diagnostics=[found], only=["quickfix"])
    fixes = [one for one in actions if not one["title"].startswith("Ignore")]
    assert fixes
    assert [one for one in fixes if one.get("isPreferred")] == fixes[:1]
    version = 1
    for action in actions:
        (change,) = action["edit"]["documentChanges"]
        assert change["textDocument"]["uri"] == uri
        fixed = apply_edits(STEP, change["edits"], encoding)
        compile(fixed, "step.py", "exec")
        version += 1
        client.change(uri, version, fixed)
        assert client.published(uri, version=version)["diagnostics"] == [], action["title"]
    client.close(uri)


def test_what_an_edit_leaves_alone(talk: tuple[Client, str], tmp_path: Path) -> None:
    """Diagnostics are taken over from before the edit, and all else is there when it is asked for."""
    client, encoding = talk
    uri = (tmp_path / "steps.py").as_uri()
    lines = STEP.split("\n")
    start = lines.index("state_ref = jax.new_ref(jnp.ones(3))")
    steps = [
        [f"def step_{i}():", *("    " + line for line in lines[start:] if line)] for i in range(2)
    ]
    text = "\n".join([*lines[:start], *steps[0], "", *steps[1], ""])
    client.open(uri, text)
    assert len(client.published(uri, version=1)["diagnostics"]) == 2

    edited = text.replace("def step_0():", "# é😀\ndef step_0():").replace("f_vjp(1.0)", "1", 1)
    client.change(uri, 2, edited)
    (found,) = client.published(uri, version=2)["diagnostics"]
    assert text_at(edited, found["range"], encoding) == "f_vjp(1.0)"
    places = [
        text_at(edited, one["location"]["range"], encoding) for one in found["relatedInformation"]
    ]
    assert any(one.startswith("jax.vjp(") for one in places)
    there = found["range"]["start"]
    assert (
        "`state_ref`" in client.hover(uri, there["line"], there["character"])["contents"]["value"]
    )
    (fix, *_) = client.actions(uri, found["range"], diagnostics=[found], only=["quickfix"])
    (change,) = fix["edit"]["documentChanges"]
    fixed = apply_edits(edited, change["edits"], encoding)
    client.change(uri, 3, fixed)
    assert client.published(uri, version=3)["diagnostics"] == []
    client.close(uri)


def test_fix_all_does_what_the_preferred_fix_does(talk: tuple[Client, str], tmp_path: Path) -> None:
    client, encoding = talk
    uri = (tmp_path / "step.py").as_uri()
    client.open(uri, STEP)
    preferred = next(one for one in client.actions(uri) if one.get("isPreferred"))
    (action,) = client.actions(uri, only=["source.fixAll"])
    action = client.request("codeAction/resolve", action)
    texts = [
        apply_edits(STEP, one["edit"]["documentChanges"][0]["edits"], encoding)
        for one in (preferred, action)
    ]
    assert texts[0] == texts[1] != STEP
    client.close(uri)


def test_a_helper_in_another_file(talk: tuple[Client, str], tmp_path: Path) -> None:
    client, encoding = talk
    helper = tmp_path / "helper.py"
    helper.write_text("import jax\n\n\ndef make(x):\n    return x\n")
    (tmp_path / "pyproject.toml").write_text("[tool.jaxref]\n")
    text = STEP.replace("import jax\n", "import jax\nfrom helper import make\n").replace(
        "jax.new_ref(jnp.ones(3))", "make(jnp.ones(3))"
    )
    uri = (tmp_path / "main.py").as_uri()
    client.open(uri, text)
    assert client.published(uri)["diagnostics"] == []
    mark = client.mark()
    # Not saved: the open text counts.
    client.open(helper.as_uri(), helper.read_text().replace("return x", "return jax.new_ref(x)"))
    (found,) = client.published(uri, mark)["diagnostics"]
    assert found["code"] == "unbound-ref-gradient"
    assert text_at(text, found["range"], encoding) == "f_vjp(1.0)"
    assert helper.as_uri() in {one["location"]["uri"] for one in found["relatedInformation"]}
    client.close(helper.as_uri())
    client.close(uri)


def test_a_notebook(talk: tuple[Client, str]) -> None:
    client, encoding = talk
    lines = STEP.splitlines(keepends=True)
    texts = ["%matplotlib inline\n" + "".join(lines[:7]), "".join(lines[8:11]), lines[11]]
    cells = [f"vscode-notebook-cell:/nowhere/n.ipynb#{encoding}{number}" for number in range(3)]
    client.notify(
        "notebookDocument/didOpen",
        {
            "notebookDocument": {
                "uri": "file:///nowhere/n.ipynb",
                "notebookType": "jupyter-notebook",
                "version": 1,
                "cells": [{"kind": 2, "document": cell} for cell in cells],
            },
            "cellTextDocuments": [
                {"uri": cell, "languageId": "python", "version": 1, "text": text}
                for cell, text in zip(cells, texts, strict=True)
            ],
        },
    )
    (found,) = client.published(cells[2])["diagnostics"]
    assert text_at(texts[2], found["range"], encoding) == "f_vjp(1.0)"
    assert {one["location"]["uri"] for one in found["relatedInformation"]} <= set(cells)
    assert client.published(cells[0])["diagnostics"] == []
    place = position(texts[1], texts[1].index("f_vjp"), encoding)
    hovered = client.hover(cells[1], place["line"], place["character"])
    assert text_at(texts[1], hovered["range"], encoding) == "f_vjp"
    closing = {
        "notebookDocument": {"uri": "file:///nowhere/n.ipynb"},
        "cellTextDocuments": [{"uri": cell} for cell in cells],
    }
    client.notify("notebookDocument/didClose", closing)


def test_broken_syntax_is_left_to_others(talk: tuple[Client, str], tmp_path: Path) -> None:
    client, _ = talk
    uri = (tmp_path / "broken.py").as_uri()
    client.open(uri, STEP + "\n\ndef half(:\n")
    (found,) = client.published(uri)["diagnostics"]
    assert found["code"] == "unbound-ref-gradient"
    client.close(uri)


def test_typing_a_program_in(talk: tuple[Client, str], tmp_path: Path) -> None:
    """Every state of a text being typed is survived, and the last one is judged."""
    client, encoding = talk
    uri = (tmp_path / "typed.py").as_uri()
    client.open(uri, "")
    for at in range(len(STEP)):
        there = position(STEP[:at], at, encoding)
        client.change(uri, at + 2, ({"start": there, "end": there}, STEP[at]))
        if at % 20 == 0:
            client.hover(uri, there["line"], there["character"])
    (found,) = client.published(uri, version=len(STEP) + 1)["diagnostics"]
    assert found["code"] == "unbound-ref-gradient"
    client.close(uri)
    assert b"Traceback" not in client.errors

"""Inlay hints, signature help and completion on VJPs, with the real analysis."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from typing import Any

import pytest
from client import EVERYTHING, Client, apply_edits, capabilities, position, span

from conftest import Start

MADE = """\
import jax
import jax.numpy as jnp


def loss(state_ref, x):
    return jnp.sum(state_ref[...] * x)


def train(state_ref):
    state_ref[...] += 1.0


state_ref = jax.new_ref(jnp.ones(3))
x = jnp.ones(3)
label, (value, f_vjp) = "😀", jax.vjp(loss, state_ref, x)
total_ref = jax.new_ref(jnp.zeros(3))
"""
BOUND = MADE + "label, out = '😀', f_vjp.with_refs(total_ref, jax.ad.GradValue())(1.0)\n"


@pytest.fixture(scope="module")
def real() -> Iterator[Client]:
    """The server as users start it."""
    client = Client(["server"], program=[sys.executable, "-m", "jaxref"])
    client.initialize()
    yield client
    code = client.stop()
    client.kill()
    assert code == 0


def hints_of(client: Client, uri: str, where: Any = EVERYTHING) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = client.request(
        "textDocument/inlayHint", {"textDocument": {"uri": uri}, "range": where}
    )
    return found


def shown(text: str, hints: list[dict[str, Any]]) -> str:
    """The text with the hints in it, in angle brackets."""
    places = []
    for hint in hints:
        lines = text.split("\n")[: hint["position"]["line"]]
        line = text.split("\n")[hint["position"]["line"]]
        column = hint["position"]["character"]
        inside = len(line.encode("utf-16-le")[: column * 2].decode("utf-16-le"))
        places.append((sum(len(one) + 1 for one in lines) + inside, hint["label"][0]["value"]))
    for at, words in sorted(places, reverse=True):
        text = f"{text[:at]}<{words}>{text[at:]}"
    return text


def test_hints(real: Client, uri: str) -> None:
    real.open(uri, BOUND)
    text = shown(BOUND, hints_of(real, uri))
    assert "jax.vjp(loss, state_ref, x)<needs gradient refs for state_ref>" in text
    assert "with_refs(<state_ref:>total_ref, <x:>jax.ad.GradValue())(1.0)" in text
    assert text.count("<") == 3
    last = span(16, 0, 17, 0)
    assert [one["label"][0]["value"] for one in hints_of(real, uri, last)] == ["state_ref:", "x:"]
    made = hints_of(real, uri)[0]["label"][0]["location"]
    assert made["range"]["start"] == {"line": 12, "character": 12}
    real.close(uri)


def test_each_kind_of_hint_has_its_switch(start: Start, uri: str) -> None:
    client = start(program=[sys.executable, "-m", "jaxref", "server"])
    client.settings[None] = {"inlayHints": {"entryNames": False, "vjpState": False, "types": True}}
    caps = capabilities()
    caps["workspace"]["inlayHint"] = {"refreshSupport": True}
    caps["textDocument"]["inlayHint"] = {"resolveSupport": {"properties": ["tooltip"]}}
    client.initialize(caps=caps)
    client.open(uri, BOUND)
    client.published(uri)
    text = shown(BOUND, hints_of(client, uri))
    assert "\nstate_ref<: Ref{float32[3]}> = jax.new_ref" in text
    assert text.count("<") == 2
    hint = hints_of(client, uri)[0]
    assert "tooltip" not in hint
    assert client.request("inlayHint/resolve", hint)["tooltip"]
    client.settings[None] = {"ignore": ["grad-of-ref"]}
    mark = client.mark()
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait_for("workspace/inlayHint/refresh", mark)
    assert "<state_ref:>" in shown(BOUND, hints_of(client, uri))


def test_types_of_vjps(start: Start, uri: str) -> None:
    client = start(program=[sys.executable, "-m", "jaxref", "server"])
    client.settings[None] = {"inlayHints": {"types": True, "vjpState": False}}
    client.initialize()
    text = BOUND.replace('label, (value, f_vjp) = "😀", jax', "value, f_vjp = jax")
    client.open(uri, text)
    client.published(uri)
    assert "value, f_vjp<: VJP(Ref{float32[3]}, float32[3])> = jax.vjp" in shown(
        text, hints_of(client, uri)
    )
    (hint,) = [one for one in hints_of(client, uri) if "VJP" in one["label"][0]["value"]]
    assert hint["tooltip"] == "the VJP of loss(state_ref: Ref{float32[3]}, x: float32[3])"


def test_hover_on_a_ref_tells_its_story(real: Client, uri: str) -> None:
    text = BOUND + "alias = state_ref\nalias[0] = 2.0\ntrain(alias)\nend = jax.freeze(state_ref)\n"
    real.open(uri, text)
    there = real.hover(uri, 12, 3)["contents"]["value"].splitlines()
    assert "- made at line 13" in there
    assert "- also called `alias`" in there
    assert "- written at lines 10 and 19" in there
    assert "- frozen at line 21" in there
    assert "- gradients added at line 17" in real.hover(uri, 15, 3)["contents"]["value"]
    real.close(uri)


def test_no_hints_where_there_is_nothing_to_say(real: Client, uri: str) -> None:
    real.open(uri, "import jax\n\nx = jax.grad(lambda x: x)(1.0)\n")
    assert hints_of(real, uri) == []
    real.close(uri)


def signature(client: Client, uri: str, text: str) -> Any:
    """The signature help for a text with `|` at the cursor."""
    place = text.index("|")
    text = text.replace("|", "")
    client.open(uri, text)
    found = client.request(
        "textDocument/signatureHelp",
        {"textDocument": {"uri": uri}, "position": position(text, place, "utf-16")},
    )
    client.close(uri)
    return found


@pytest.mark.parametrize(
    ("line", "active"),
    [
        ("out = f_vjp.with_refs(|total_ref, jax.ad.GradValue())(1.0)", 0),
        ("out = f_vjp.with_refs(total_ref, |jax.ad.GradValue())(1.0)", 1),
        ("out = f_vjp.with_refs(|)", 0),
        ("out = f_vjp.with_refs(|", 0),
        ("'😀', f_vjp.with_refs(total_ref, |", 1),
        ("out = [f_vjp.with_refs(total_ref, jax.ad.|", 1),
        ("print({'a)': f_vjp.with_refs(total_ref,|\nprint(2)", 1),
        ("if True:\n    out = f_vjp.with_refs(|", 0),
    ],
)
def test_signature_of_with_refs(real: Client, uri: str, line: str, active: int) -> None:
    found = signature(real, uri, MADE + line)
    (only,) = found["signatures"]
    assert only["label"] == "with_refs(state_ref: Ref{float32[3]}, x: float32[3])"
    assert [one["label"] for one in only["parameters"]] == [
        "state_ref: Ref{float32[3]}",
        "x: float32[3]",
    ]
    assert found["activeParameter"] == active


def test_signature_of_an_application(real: Client, uri: str) -> None:
    found = signature(real, uri, MADE + "out = f_vjp.with_refs(total_ref, jax.ad.GradValue())(|")
    assert found["signatures"][0]["label"] == "f_vjp(cotangent)"
    assert "`loss`" in found["signatures"][0]["documentation"]["value"]


@pytest.mark.parametrize(
    "line", ["print(|", "|", "train(state_ref, |)", "x[|", "'f_vjp.with_refs(|'", "# f_vjp(|"]
)
def test_signatures_of_others_are_left_alone(real: Client, uri: str, line: str) -> None:
    assert signature(real, uri, MADE + line) is None


# -- completion inside with_refs


def completed(client: Client, uri: str, text: str) -> Any:
    """The items for a text with `|` at the cursor: each label, and the text that comes of it."""
    place = text.index("|")
    text = text.replace("|", "")
    client.open(uri, text)
    found = client.request(
        "textDocument/completion",
        {"textDocument": {"uri": uri}, "position": position(text, place, "utf-16")},
    )
    client.close(uri)
    if found is None:
        return None
    items = sorted(found["items"], key=lambda one: one["sortText"])
    return {one["label"]: apply_edits(text, [one["textEdit"]], "utf-16") for one in items}


def test_completion_of_entries(real: Client, uri: str) -> None:
    line = "'😀', f_vjp.with_refs(|)(1.0)\n"
    found = completed(real, uri, MADE + line)
    assert list(found) == [
        "total_ref",
        "jax.ad.DontWant()",
        "total_ref, jax.ad.GradValue()",
    ]
    for label, text in found.items():
        assert text == MADE + line.replace("|", label)
    found = completed(real, uri, MADE + "f_vjp.with_refs(total_ref, ja|\n")
    assert list(found) == ["jax.ad.GradValue()", "jax.ad.DontWant()"]
    assert found["jax.ad.DontWant()"] == MADE + "f_vjp.with_refs(total_ref, jax.ad.DontWant()\n"


def test_completion_does_not_offer_what_jax_rejects(real: Client, uri: str) -> None:
    text = MADE.replace("    return jnp.sum", "    state_ref[...] *= 2.0\n    return jnp.sum")
    found = completed(real, uri, text + "f_vjp.with_refs(|)")
    assert list(found) == ["total_ref", "total_ref, jax.ad.GradValue()"]
    text = MADE.replace("total_ref", "state_ref")
    assert list(completed(real, uri, text + "f_vjp.with_refs(|)")) == ["jax.ad.DontWant()"]
    text = MADE.replace("jnp.zeros(3)", "jnp.zeros(4)")
    assert list(completed(real, uri, text + "f_vjp.with_refs(|)")) == ["jax.ad.DontWant()"]
    text = MADE.replace("total_ref =", "def other():\n    total_ref =")
    assert list(completed(real, uri, text + "\nf_vjp.with_refs(|)")) == ["jax.ad.DontWant()"]


def test_completion_uses_the_files_own_name_for_jax(real: Client, uri: str) -> None:
    text = MADE.replace("jax", "j").replace("import j\n", "import jax as j\n")
    text = text.replace("import j.", "import jax.")
    found = completed(real, uri, text + "f_vjp.with_refs(total_ref, |)")
    assert list(found) == ["j.ad.GradValue()", "j.ad.DontWant()"]


@pytest.mark.parametrize(
    "line", ["f_vjp.with_refs(total_ref, jax.ad.GradValue(), |)", "f_vjp(|)", "tra|", "print(|)"]
)
def test_completion_elsewhere_is_left_to_others(real: Client, uri: str, line: str) -> None:
    assert completed(real, uri, MADE + line) is None

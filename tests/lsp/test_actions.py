"""Code actions, hovers, completion: what is offered, and the text after it is applied."""

from __future__ import annotations

from typing import Any

import pytest
from client import (
    Client,
    action_params,
    apply_edits,
    capabilities,
    position,
    span,
)

from conftest import Start


def titled(found: list[dict[str, Any]], title: str) -> dict[str, Any]:
    (action,) = [one for one in found if one["title"] == title]
    return action


def after(text: str, action: dict[str, Any], uri: str, version: int, encoding: str) -> str:
    """The text once the action is applied, as a strict client does it."""
    (change,) = action["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": uri, "version": version}
    return apply_edits(text, change["edits"], encoding)


def test_fixes(pushing: Client, uri: str) -> None:
    text = "x = '😀', BAD\n"
    pushing.open(uri, text, 3)
    found = pushing.actions(uri)
    good, drop = titled(found, "Make it good"), titled(found, "Drop it")
    assert good["isPreferred"] is True
    assert "isPreferred" not in drop
    assert good["kind"] == drop["kind"] == "quickfix"
    assert good["diagnostics"] == pushing.published(uri)["diagnostics"]
    assert after(text, good, uri, 3, "utf-16") == "x = '😀', GOOD\n"
    assert after(text, drop, uri, 3, "utf-16") == "x = '😀', None\n"
    pushing.close(uri)


def test_what_is_not_safe_asks_first(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD")
    found = pushing.actions(uri)
    edit = titled(found, "Drop it")["edit"]
    (annotation,) = {
        one["annotationId"] for change in edit["documentChanges"] for one in change["edits"]
    }
    assert edit["changeAnnotations"][annotation]["needsConfirmation"] is True
    assert "changeAnnotations" not in titled(found, "Make it good")["edit"]
    pushing.close(uri)


def test_a_client_that_knows_neither_versions_nor_annotations(start: Start) -> None:
    client = start()
    client.initialize(caps={})
    client.open("file:///a.py", "BAD")
    found = client.actions("file:///a.py")
    for title, new in (("Make it good", "GOOD"), ("Drop it", "None")):
        edit = titled(found, title)["edit"]
        assert list(edit) == ["changes"]
        assert apply_edits("BAD", edit["changes"]["file:///a.py"], "utf-16") == new
    whole = titled(found, "Fix all safe jaxref problems")
    assert apply_edits("BAD", whole["edit"]["changes"]["file:///a.py"], "utf-16") == "GOOD"


@pytest.mark.parametrize(
    ("where", "expected"),
    [
        (span(0, 0, 0, 0), ["Make it good"]),
        (span(0, 3, 0, 3), ["Make it good"]),
        (span(0, 5, 0, 6), []),
        (span(0, 2, 1, 0), ["Make it good", "Name the colour"]),
        (span(1, 1, 1, 1), ["Name the colour"]),
    ],
)
def test_only_what_the_range_touches(
    pushing: Client, uri: str, where: Any, expected: list[str]
) -> None:
    pushing.open(uri, "BAD  x\nBLUE")
    found = pushing.actions(uri, where, only=["quickfix"])
    titles = [one["title"] for one in found if one["title"] != "Drop it"]
    assert [one for one in titles if not one.startswith("Ignore")] == expected
    pushing.close(uri)


@pytest.mark.parametrize(
    ("only", "kinds"),
    [
        (None, {"quickfix", "source.fixAll.jaxref"}),
        ([""], {"quickfix", "source.fixAll.jaxref"}),
        (["quickfix"], {"quickfix"}),
        (["source"], {"source.fixAll.jaxref"}),
        (["source.fixAll"], {"source.fixAll.jaxref"}),
        (["source.fixAll.jaxref"], {"source.fixAll.jaxref"}),
        (["source.fixAll.ruff"], set()),
        (["source.fixAllThings"], set()),
        (["refactor"], set()),
        ([], set()),
        (["notebook.source.fixAll"], set()),
    ],
)
def test_only(pushing: Client, uri: str, only: list[str] | None, kinds: set[str]) -> None:
    pushing.open(uri, "BAD")
    found = pushing.actions(uri, **({} if only is None else {"only": only}))
    assert {one["kind"] for one in found} == kinds
    pushing.close(uri)


def test_fix_all_goes_on_until_nothing_is_left(pushing: Client, uri: str) -> None:
    text = "CHAIN '😀' CHAIN\r\nx = 1\r\nBAD BLUE\r\nBAD"
    pushing.open(uri, text, 4)
    (action,) = pushing.actions(uri, only=["source.fixAll.jaxref"])
    assert "edit" not in action
    action = pushing.request("codeAction/resolve", action)
    (change,) = action["edit"]["documentChanges"]
    assert all(one["range"]["start"]["line"] != 1 for one in change["edits"])
    assert after(text, action, uri, 4, "utf-16") == ("GOOD '😀' GOOD\r\nx = 1\r\nGOOD BLUE\r\nGOOD")
    pushing.close(uri)


def test_fixing_all_that_one_rule_finds(pushing: Client, uri: str) -> None:
    text = "CHAIN BAD\nBAD\nBLUE"
    pushing.open(uri, text, 2)
    assert not [
        one
        for one in pushing.actions(uri, span(2, 0, 2, 4), only=["quickfix"])
        if "Fix all" in one["title"]
    ]
    # One chain only: there is no more to fix than this.
    titles = [one["title"] for one in pushing.actions(uri, only=["quickfix"])]
    assert [one for one in titles if one.startswith("Fix all")] == [
        "Fix all safe bad-word problems in this file"
    ]
    action = titled(
        pushing.actions(uri, span(1, 0, 1, 3)), "Fix all safe bad-word problems in this file"
    )
    assert action["kind"] == "quickfix"
    assert "isPreferred" not in action
    action = pushing.request("codeAction/resolve", action)
    assert after(text, action, uri, 2, "utf-16") == "CHAIN GOOD\nGOOD\nBLUE"
    pushing.close(uri)


def disabled(client: Client, uri: str, **context: Any) -> list[dict[str, Any]]:
    return [one for one in client.actions(uri, **context) if "disabled" in one]


def test_why_there_is_no_fix(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD LOST")
    (action,) = disabled(pushing, uri, only=["quickfix"], triggerKind=1)
    assert action["title"] == "No fix for lost-word here"
    assert action["disabled"] == {"reason": "nobody knows where it is; it is dark"}
    assert action["kind"] == "quickfix"
    assert "edit" not in action
    assert [one["code"] for one in action["diagnostics"]] == ["lost-word"]
    # By itself the light bulb shows only what can be done; refactorings are asked for by kind.
    assert disabled(pushing, uri, triggerKind=2) == []
    assert disabled(pushing, uri) == []
    assert disabled(pushing, uri, only=["source"], triggerKind=1) == []
    (action,) = disabled(pushing, uri, only=["refactor"], triggerKind=1)
    assert action["kind"] == "refactor.rewrite"
    pushing.change(uri, 2, "GONE")
    (action,) = disabled(pushing, uri, triggerKind=1)
    assert "not simple enough" in action["disabled"]["reason"]
    pushing.close(uri)


def test_no_reasons_for_a_client_that_cannot_show_them(start: Start, uri: str) -> None:
    caps = capabilities()
    del caps["textDocument"]["codeAction"]["disabledSupport"]
    client = start()
    client.initialize(caps=caps)
    client.open(uri, "LOST")
    assert disabled(client, uri, only=["quickfix"], triggerKind=1) == []


def test_fix_all_without_resolve(start: Start) -> None:
    caps = capabilities("utf-8")
    del caps["textDocument"]["codeAction"]["resolveSupport"]
    client = start()
    client.initialize(caps=caps)
    client.open("file:///a.py", "é BAD")
    (action,) = client.actions("file:///a.py", only=["source.fixAll"])
    assert after("é BAD", action, "file:///a.py", 1, "utf-8") == "é GOOD"


def test_an_outdated_action_cannot_be_resolved(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD")
    (action,) = pushing.actions(uri, only=["source.fixAll"])
    pushing.change(uri, 2, "BAD BAD")
    assert pushing.error("codeAction/resolve", action)["code"] == -32801
    pushing.close(uri)
    assert pushing.error("codeAction/resolve", action)["code"] == -32801
    foreign = {"title": "x", "data": {"other": 1}}
    assert pushing.error("codeAction/resolve", foreign)["code"] == -32602
    assert pushing.request("codeAction/resolve", {"title": "x"}) == {"title": "x"}


def test_an_action_is_resolved_though_other_files_have_changed(pushing: Client, uri: str) -> None:
    """As happens when a fix on save meets a branch that is being checked out."""
    pushing.open(uri, "SLOW BAD", 2)
    (action,) = pushing.actions(uri, only=["source.fixAll"])
    other = {"uri": uri.replace("test", "other"), "type": 1}
    pushing.notify("workspace/didChangeWatchedFiles", {"changes": [other]})
    number = pushing.ask("codeAction/resolve", action)
    pushing.notify("workspace/didChangeWatchedFiles", {"changes": [other]})
    resolved = pushing.answer_to(number)["result"]
    assert after("SLOW BAD", resolved, uri, 2, "utf-16") == "SLOW GOOD"
    pushing.close(uri)


def test_actions_for_a_text_that_changes_meanwhile(pushing: Client, uri: str) -> None:
    pushing.open(uri, "SLOW SLOW BAD")
    number = pushing.ask("textDocument/codeAction", action_params(uri))
    pushing.change(uri, 2, "BAD")
    assert pushing.answer_to(number)["error"]["code"] == -32801
    pushing.close(uri)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("f(BAD)\n", "f(BAD)  # jaxref: ignore[bad-word]\n"),
        ("f(BAD)", "f(BAD)  # jaxref: ignore[bad-word]"),
        ("f(BAD)   \r\n", "f(BAD)  # jaxref: ignore[bad-word]\r\n"),
        ("f(BAD)  # why\n", "f(BAD)  # why  # jaxref: ignore[bad-word]\n"),
        ("f(\n  BAD,\n)\n", "f(\n  BAD,\n)  # jaxref: ignore[bad-word]\n"),
        (
            "f(BAD)  # jaxref: ignore[a-rule] -- why\n",
            "f(BAD)  # jaxref: ignore[a-rule, bad-word] -- why\n",
        ),
        ("f(BAD)  # jaxref: ignore[]\n", "f(BAD)  # jaxref: ignore[bad-word]\n"),
        ("'😀', BAD\n", "'😀', BAD  # jaxref: ignore[bad-word]\n"),
        ("f(BAD,\ndef g(): 0\n", "f(BAD,  # jaxref: ignore[bad-word]\ndef g(): 0\n"),
        ('x = BAD, """\n"""\n', 'x = BAD, """\n"""  # jaxref: ignore[bad-word]\n'),
    ],
)
def test_silencing(pushing: Client, uri: str, text: str, expected: str) -> None:
    pushing.open(uri, text)
    action = titled(pushing.actions(uri), "Ignore bad-word on this line")
    assert after(text, action, uri, 1, "utf-16") == expected
    assert "isPreferred" not in action
    pushing.close(uri)


# -- hover


def test_hover(pushing: Client, uri: str) -> None:
    pushing.open(uri, "'😀', word\n")
    found = pushing.hover(uri, 0, 7)
    assert found["contents"]["kind"] == "markdown"
    assert found["contents"]["value"].startswith("**word**")
    assert found["range"] == span(0, 6, 0, 10)
    assert pushing.hover(uri, 0, 2) is None
    pushing.close(uri)


def test_hover_in_plain_text(start: Start) -> None:
    client = start()
    client.initialize(caps={})
    client.open("file:///a.py", "word")
    contents = client.hover("file:///a.py", 0, 1)["contents"]
    assert contents == {"kind": "plaintext", "value": "word\n\na  b\nword  2"}


def test_hover_on_a_rule_in_a_comment(pushing: Client, uri: str) -> None:
    text = "'😀'  # jaxref: ignore[no-such, grad-of-ref]\n"
    pushing.open(uri, text)
    there = position(text, text.index("of-ref"), "utf-16")
    found = pushing.hover(uri, 0, there["character"])
    assert "https://jaxref.readthedocs.io/rules/grad-of-ref" in found["contents"]["value"]
    assert found["range"]["start"] == position(text, text.index("grad-"), "utf-16")
    assert pushing.hover(uri, 0, text.index("ignore") + 2) is None
    assert pushing.hover(uri, 0, text.index("no-such") + 1) is None
    pushing.close(uri)


def test_hover_for_a_text_that_changes_meanwhile(pushing: Client, uri: str) -> None:
    pushing.open(uri, "SLOW SLOW word")
    number = pushing.ask(
        "textDocument/hover",
        {"textDocument": {"uri": uri}, "position": {"line": 0, "character": 11}},
    )
    pushing.change(uri, 2, "x")
    assert pushing.answer_to(number)["result"] is None
    pushing.close(uri)


# -- completion


def completed(client: Client, uri: str, text: str) -> dict[str, str] | None:
    """The texts that come of the items for a text with `|` at the cursor."""
    place = text.index("|")
    before = text.replace("|", "")
    client.open(uri, before)
    found = client.request(
        "textDocument/completion",
        {"textDocument": {"uri": uri}, "position": position(before, place, "utf-16")},
    )
    client.close(uri)
    if found is None:
        return None
    return {
        one["label"]: apply_edits(before, [one["textEdit"]], "utf-16") for one in found["items"]
    }


def test_completion_of_rule_names(pushing: Client, uri: str) -> None:
    found = completed(pushing, uri, "f('😀')  # jaxref: ignore[|]\n")
    assert found is not None
    assert found["grad-of-ref"] == "f('😀')  # jaxref: ignore[grad-of-ref]\n"
    found = completed(pushing, uri, "f()  # jaxref: ignore[grad-of-ref, unb|ound] -- why")
    assert found is not None
    assert "grad-of-ref" not in found
    assert found["unused-ignore"] == "f()  # jaxref: ignore[grad-of-ref, unused-ignore] -- why"
    found = completed(pushing, uri, "f()  # jaxref: ignore[un|, grad-of-ref]")
    assert found is not None
    assert "grad-of-ref" not in found


@pytest.mark.parametrize(
    "text", ["x[|]", "# ignore[|]", "# jaxref: |", "# jaxref: ignore[a] |", "|# jaxref: ignore[a]"]
)
def test_completion_is_left_to_others(pushing: Client, uri: str, text: str) -> None:
    assert completed(pushing, uri, text) is None


# -- information


def test_information(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD secret")
    pushing.published(uri)
    found = pushing.request(
        "workspace/executeCommand", {"command": "jaxref.server.information", "arguments": []}
    )
    (module,) = [one for one in found["modules"] if one["uri"] == uri]
    assert module["findings"] == 1
    assert found["features"]["encoding"] == "utf-16"
    assert "secret" not in str(found)
    unknown = {"command": "jaxref.no.such", "arguments": []}
    assert pushing.error("workspace/executeCommand", unknown)["code"] == -32602
    too_many = {"command": "jaxref.server.information", "arguments": [1]}
    assert pushing.error("workspace/executeCommand", too_many)["code"] == -32602
    pushing.close(uri)

"""Diagnostics: pushed or pulled, of the present text alone, gone on close."""

from __future__ import annotations

import asyncio
import random
from pathlib import Path
from typing import Any

import pytest
from client import Client, apply_edits, at, capabilities, position, pull_params, span
from lsprotocol import types

from conftest import Start
from jaxref.lsp.server import create_server


def words(report: dict[str, Any]) -> list[str]:
    items = report["items"] if "items" in report else report["diagnostics"]
    return [one["code"] for one in items]


def test_what_is_pushed(pushing: Client, uri: str) -> None:
    pushing.open(uri, "x = '😀', BAD\nREL\nOLD\nBLUE", 7)
    params = pushing.published(uri)
    assert params["version"] == 7
    bad, old, blue = params["diagnostics"]
    assert bad["range"] == span(0, 10, 0, 13)
    assert (bad["severity"], old["severity"], blue["severity"]) == (1, 4, 2)
    assert bad["source"] == "jaxref"
    assert bad["code"] == "bad-word"
    assert bad["codeDescription"] == {"href": "https://jaxref.readthedocs.io/rules/bad-word"}
    assert bad["relatedInformation"] == [
        {"location": {"uri": uri, "range": span(1, 0, 1, 3)}, "message": "here it began"}
    ]
    assert bad["data"]["rule"] == "bad-word"
    assert old["tags"] == [1]
    assert "tags" not in bad
    assert "relatedInformation" not in blue
    pushing.close(uri)


def test_a_plain_client_gets_plain_diagnostics(start: Start) -> None:
    client = start()
    client.initialize(caps={})
    client.open("file:///a.py", "BAD REL OLD")
    bad, old = client.published("file:///a.py")["diagnostics"]
    assert sorted(bad) == ["code", "message", "range", "severity", "source"]
    assert "tags" not in old


@pytest.mark.parametrize("pull", [False, True])
def test_closing_takes_back_what_was_pushed(
    pushing: Client, pulling: Client, uri: str, pull: bool
) -> None:
    client = pulling if pull else pushing
    name = uri.replace("file:", "other:")  # a scheme that is not pulled
    client.open(name, "BAD")
    assert client.published(name)["diagnostics"]
    mark = client.mark()
    client.close(name)
    assert client.published(name, mark)["diagnostics"] == []


def test_a_version_that_is_gone_is_never_published(pushing: Client, uri: str) -> None:
    pushing.open(uri, "SLOW BAD")
    for version in range(2, 30):
        pushing.change(uri, version, f"{'SLOW ' * (version % 3)} BAD # {version}")
        if version % 7 == 0:
            pushing.hover(uri, 0, 0)
    pushing.change(uri, 30, "BAD BAD")
    last = pushing.published(uri, version=30)
    assert len(last["diagnostics"]) == 2
    versions = [one["version"] for one in pushing.publications(uri)]
    assert versions == sorted(versions), "nothing comes after something newer"
    assert versions[-1] == 30
    pushing.close(uri)


def test_quick_typing_is_analysed_once(pushing: Client, uri: str) -> None:
    # What takes no time is not waited for.
    pushing.open(uri, "SLOW")
    pushing.published(uri, version=1)
    for version in range(2, 12):
        pushing.change(uri, version, (span(0, 0, 0, 0), "x"))
    pushing.published(uri, version=11)
    assert len(pushing.publications(uri)) < 11
    pushing.close(uri)


@pytest.mark.parametrize("pull", [False, True])
def test_no_longer_is_waited_than_an_analysis_takes(start: Start, uri: str, pull: bool) -> None:
    client = start("--patient")
    client.initialize(pull=pull)
    for text in ("BAD", "BAD SLOW"):
        client.open(uri, text)
        assert client.pull(uri)["items"] if pull else client.published(uri, version=1)
        for version in (2, 3, 4):
            mark = client.mark()
            client.change(uri, version, (span(0, 0, 0, 0), "BAD "))
            said = client.pull(uri) if pull else client.published(uri, mark, version=version)
            assert len(said["items" if pull else "diagnostics"]) == version
        client.close(uri)


def test_a_reopened_document_starts_afresh(pushing: Client, uri: str) -> None:
    pushing.open(uri, "BAD", 5)
    pushing.published(uri, version=5)
    pushing.close(uri)
    mark = pushing.mark()
    pushing.open(uri, "BAD BAD", 1)
    assert len(pushing.published(uri, mark, version=1)["diagnostics"]) == 2
    pushing.close(uri)


def test_changes_of_closed_documents_are_ignored(pushing: Client, uri: str) -> None:
    pushing.change(uri, 2, "BAD")
    pushing.close(uri)
    assert pushing.hover(uri, 0, 0) is None
    assert pushing.actions(uri) == []
    assert pushing.pull(uri)["items"] == []


@pytest.mark.parametrize(
    ("language", "name", "looked_at"),
    [
        ("python", "untitled:Untitled-1", True),
        ("python", "inmemory://model/1", True),
        ("", "file:///nowhere/empty.py", True),
        ("markdown", "file:///nowhere/page.md", False),
        ("toml", "file:///nowhere/pyproject.toml", False),
    ],
)
def test_which_documents_are_looked_at(
    pushing: Client, language: str, name: str, looked_at: bool
) -> None:
    pushing.open(name, "BAD", language=language)
    assert bool(pushing.pull(name)["items"]) is looked_at
    if looked_at:
        assert pushing.published(name)["diagnostics"]
    else:
        assert pushing.publications(name) == []
    pushing.close(name)


# -- pull


def test_a_pulling_client_is_pushed_nothing(pulling: Client, uri: str) -> None:
    pulling.open(uri, "BAD")
    assert words(pulling.pull(uri)) == ["bad-word"]
    pulling.close(uri)
    assert pulling.pull(uri)["items"] == []
    assert pulling.publications(uri) == []


def test_unchanged_reports(pulling: Client, uri: str) -> None:
    pulling.open(uri, "BAD\n")
    first = pulling.pull(uri)
    assert first["kind"] == "full"
    again = pulling.pull(uri, first["resultId"])
    assert again == {"kind": "unchanged", "resultId": first["resultId"]}
    pulling.change(uri, 2, (span(1, 0, 1, 0), "x = 1\n"))
    assert pulling.pull(uri, first["resultId"])["kind"] == "unchanged"
    pulling.change(uri, 3, (span(0, 0, 0, 0), "\n"))
    moved = pulling.pull(uri, first["resultId"])
    assert moved["kind"] == "full"
    assert moved["resultId"] != first["resultId"]
    assert moved["items"][0]["range"] == span(1, 0, 1, 3)
    pulling.close(uri)


def test_a_pull_of_a_version_that_is_gone_is_cancelled(pulling: Client, uri: str) -> None:
    pulling.open(uri, "SLOW SLOW BAD")
    first = pulling.ask("textDocument/diagnostic", pull_params(uri))
    pulling.change(uri, 2, "BAD BAD")
    second = pulling.ask("textDocument/diagnostic", pull_params(uri))
    error = pulling.answer_to(first)["error"]
    assert error["code"] == -32802
    assert error["data"] == {"retriggerRequest": False}
    assert len(pulling.answer_to(second)["result"]["items"]) == 2
    pulling.close(uri)


def test_registered_dynamically_for_files_but_not_for_cells(start: Start) -> None:
    client = start()
    assert "diagnosticProvider" not in client.initialize(pull=True)
    made = client.wait_for("client/registerCapability")["params"]["registrations"]
    by_method = {one["method"]: one["registerOptions"] for one in made}
    options = by_method["textDocument/diagnostic"]
    assert {one["scheme"] for one in options["documentSelector"]} == {
        "file",
        "untitled",
        "inmemory",
    }
    assert all(one["language"] == "python" for one in options["documentSelector"])
    assert options["interFileDependencies"] is True
    watched = {
        one["globPattern"] for one in by_method["workspace/didChangeWatchedFiles"]["watchers"]
    }
    assert {"**/*.py", "**/*.ipynb", "**/*.toml", "**/uv.lock", "**/.gitignore"} <= watched
    assert by_method["workspace/didChangeConfiguration"] == {"section": "jaxref"}


def test_declared_statically_when_the_client_registers_nothing(start: Start) -> None:
    client = start()
    offered = client.initialize(caps={"textDocument": {"diagnostic": {}}})
    assert offered["diagnosticProvider"]["interFileDependencies"] is True
    assert offered["diagnosticProvider"]["identifier"] == "jaxref"
    client.open("file:///a.py", "BAD")
    assert words(client.pull("file:///a.py")) == ["bad-word"]
    client.stop()
    assert not [one for one in client.received if "registerCapability" in one.get("method", "")]


# -- other files


@pytest.fixture
def project(tmp_path: Path) -> tuple[Path, str]:
    (tmp_path / "other.py").write_text("first\n", newline="")
    return tmp_path, (tmp_path / "main.py").as_uri()


def test_related_places_in_other_files(pushing: Client, project: tuple[Path, str]) -> None:
    folder, uri = project
    pushing.open(uri, "USES other.py")
    (found,) = pushing.published(uri)["diagnostics"]
    assert found["relatedInformation"][0]["location"] == {
        "uri": (folder / "other.py").as_uri(),
        "range": span(0, 0, 0, 5),
    }
    pushing.close(uri)


def test_an_open_file_keeps_the_uri_the_client_gave_it(
    pushing: Client, project: tuple[Path, str]
) -> None:
    folder, uri = project
    odd = (folder / "other.py").as_uri().replace("other", "%6Fther")
    pushing.open(odd, "first")
    pushing.open(uri, "USES other.py")
    (found,) = pushing.published(uri)["diagnostics"]
    assert found["relatedInformation"][0]["location"]["uri"] == odd
    pushing.close(uri)
    pushing.close(odd)


@pytest.mark.parametrize("how", ["watched", "saved", "created"])
def test_a_change_elsewhere_updates_what_depends_on_it(
    pushing: Client, project: tuple[Path, str], how: str
) -> None:
    folder, uri = project
    other = folder / "other.py"
    pushing.open(uri, "USES other.py")
    assert pushing.published(uri)["diagnostics"][0]["message"] == "first"
    other.write_text("second\n")
    mark = pushing.mark()
    if how == "saved":
        pushing.open(other.as_uri(), "second\n")
        pushing.notify("textDocument/didSave", {"textDocument": {"uri": other.as_uri()}})
    else:
        kind = 1 if how == "created" else 2
        changes = [{"uri": other.as_uri(), "type": kind}]
        pushing.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert pushing.published(uri, mark)["diagnostics"][0]["message"] == "second"
    pushing.close(uri)
    pushing.close(other.as_uri())


def test_an_open_text_wins_over_the_disk(pushing: Client, project: tuple[Path, str]) -> None:
    folder, uri = project
    other = (folder / "other.py").as_uri()
    pushing.open(uri, "USES other.py")
    assert pushing.published(uri)["diagnostics"][0]["message"] == "first"
    mark = pushing.mark()
    pushing.open(other, "unsaved")
    assert pushing.published(uri, mark)["diagnostics"][0]["message"] == "unsaved"
    mark = pushing.mark()
    pushing.change(other, 2, (span(0, 0, 0, 2), ""))
    assert pushing.published(uri, mark)["diagnostics"][0]["message"] == "saved"
    mark = pushing.mark()
    pushing.close(other)
    assert pushing.published(uri, mark)["diagnostics"][0]["message"] == "first"
    pushing.close(uri)


def test_what_is_known_late_is_said_late(pushing: Client, pulling: Client, uri: str) -> None:
    pushing.open(uri, "LATE")
    assert pushing.published(uri)["diagnostics"] == []
    pushing.wait(
        lambda one: (
            one.get("method") == "textDocument/publishDiagnostics"
            and one["params"]["uri"] == uri
            and words(one["params"]) == ["late"]
        )
    )
    pushing.close(uri)
    pulling.open(uri, "LATE")
    mark = pulling.mark()
    assert pulling.pull(uri)["items"] == []
    pulling.wait_for("workspace/diagnostic/refresh", mark)
    assert words(pulling.pull(uri)) == ["late"]
    pulling.close(uri)


def test_a_change_elsewhere_leaves_the_others_alone(
    pushing: Client, project: tuple[Path, str], uri: str
) -> None:
    folder, main = project
    pushing.open(uri, "BAD")
    pushing.open(main, "USES other.py")
    pushing.published(uri)
    pushing.published(main)
    mark = pushing.mark()
    changes = [{"uri": (folder / "other.py").as_uri(), "type": 2}]
    pushing.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    pushing.published(main, mark)
    assert len(pushing.publications(uri)) == 1
    pushing.close(uri)
    pushing.close(main)


def test_a_pulling_client_is_asked_to_pull_again(
    pulling: Client, project: tuple[Path, str]
) -> None:
    folder, uri = project
    pulling.open(uri, "USES other.py")
    first = pulling.pull(uri)
    (folder / "other.py").write_text("second\n")
    mark = pulling.mark()
    changes = [{"uri": (folder / "other.py").as_uri(), "type": 2}]
    pulling.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    pulling.wait_for("workspace/diagnostic/refresh", mark)
    assert pulling.pull(uri, first["resultId"])["items"][0]["message"] == "second"
    pulling.close(uri)


# -- failures


def test_a_failure_beside_the_analysis_is_told_too() -> None:
    def fail(path: str) -> Any:
        raise ZeroDivisionError(path)

    async def told() -> list[str]:
        server = create_server()
        lines: list[str] = []
        server.window_show_message = lambda params: lines.append(params.message)
        server.configuration.settings_of = fail
        item = types.TextDocumentItem("file:///a.py", types.LanguageKind.Python, 1, "BAD")
        await server.settle_in()
        server.documents.open(item)
        server.module_changed("file:///a.py", at_once=True)
        async with asyncio.timeout(30):
            while not lines:
                await asyncio.sleep(0.01)
        return lines

    (line,) = asyncio.run(told())
    assert "ZeroDivisionError" in line


# -- at the end, as if nothing had happened before


@pytest.mark.parametrize("seed", range(3))
def test_after_a_storm_the_diagnostics_are_those_of_the_text(
    pushing: Client, uri: str, seed: int
) -> None:
    chance = random.Random(seed)
    text = "REL BAD\n"
    pushing.open(uri, text)
    pieces = ["BAD ", "OLD ", "😀 ", "\n", "CRASH ", "x", "BLUE\r\n", "SLOW "]
    version = 1
    waiting = []
    for _ in range(80):
        start = chance.randrange(len(text) + 1)
        end = min(len(text), start + chance.choice([0, 0, 1, 6]))
        if "\r\n" in (text[start - 1 : start + 1], text[end - 1 : end + 1]):
            continue
        new = chance.choice(pieces)
        where = {"start": position(text, start, "utf-16"), "end": position(text, end, "utf-16")}
        text = apply_edits(text, [{"range": where, "newText": new}], "utf-16")
        version += 1
        pushing.change(uri, version, (where, new))
        if chance.random() < 0.3:
            number = pushing.ask("textDocument/hover", at(uri, 0, 0))
            waiting.append(number)
            if chance.random() < 0.5:
                pushing.notify("$/cancelRequest", {"id": number})
    text = text.replace("CRASH", "").replace("SLOW", "")
    pushing.change(uri, version + 1, text)
    final = pushing.published(uri, version=version + 1)["diagnostics"]
    cold = f"{uri}.cold.py"
    pushing.open(cold, text)
    expected = pushing.published(cold)["diagnostics"]
    for one in [*final, *expected]:
        one.pop("relatedInformation", None)
    assert final == expected
    for number in waiting:
        pushing.answer_to(number)
    pushing.close(uri)
    pushing.close(cold)


def test_capabilities_of_the_test_client_are_those_of_a_capable_one() -> None:
    assert capabilities()["textDocument"]["publishDiagnostics"]["dataSupport"] is True

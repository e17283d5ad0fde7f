"""Settings that concern the editor alone, and how the client's and the project's go together."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from client import Client, capabilities, span
from test_settings import codes, pushed_only, watched

from conftest import Start


def talk(start: Start, folder: Path, settings: dict[str, Any], **more: Any) -> Client:
    client = start()
    client.settings[folder.as_uri()] = settings
    client.initialize(folder=folder, **more)
    return client


def told(client: Client) -> list[str]:
    return [
        one["params"]["message"]
        for one in client.received
        if one.get("method") == "window/showMessage"
    ]


def titles(client: Client, uri: str, **context: Any) -> list[str]:
    return [one["title"] for one in client.actions(uri, **context)]


@pytest.mark.parametrize("nested", [False, True])
def test_switches(start: Start, tmp_path: Path, nested: bool) -> None:
    settings: dict[str, Any] = {
        "hover.enable": False,
        "fixAll": False,
        "codeAction.disableRuleComment.enable": False,
        "codeAction.showUnavailableFixes": False,
    }
    if nested:
        settings = {
            "hover": {"enable": False},
            "fix-all": False,
            "codeAction": {
                "disableRuleComment": {"enable": False},
                "showUnavailableFixes": False,
            },
        }
    client = talk(start, tmp_path, settings)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, "word BAD LOST")
    client.published(uri)
    assert client.hover(uri, 0, 1) is None
    assert titles(client, uri, triggerKind=1) == ["Make it good", "Drop it"]
    # They hold at once, and in this folder only.
    client.settings[tmp_path.as_uri()] = {}
    mark = client.mark()
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.published(uri, mark)
    assert client.hover(uri, 0, 1) is not None
    found = titles(client, uri, triggerKind=1)
    assert "Ignore bad-word on this line" in found
    assert "No fix for lost-word here" in found
    assert "Fix all safe jaxref problems" in found
    assert told(client) == []


def test_each_folder_has_its_own(start: Start, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    client = start()
    client.settings[one.as_uri()] = {"hover": {"enable": False}}
    folders = [{"uri": path.as_uri(), "name": path.name} for path in (one, two)]
    client.initialize(workspaceFolders=folders)
    shown = []
    for folder in (one, two):
        uri = (folder / "a.py").as_uri()
        client.open(uri, "word")
        client.published(uri)
        shown.append(client.hover(uri, 0, 1) is not None)
    assert shown == [False, True]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        (
            {"diagnosticMode": "all"},
            "diagnosticMode must be one of openFilesOnly, workspace, off, not `all`",
        ),
        ({"hover": {"enable": "no"}}, "hover.enable must be true or false, not `no`"),
        (
            {"hover": {"enabled": False}},
            "unknown setting `hover.enabled`; did you mean `hover.enable`?",
        ),
        (
            {"inlayHints.vjpStat": True},
            "unknown setting `inlayHints.vjpStat`; did you mean `inlayHints.vjpState`?",
        ),
        (
            {"codeAction": {"disableRuleComment": False}},
            "unknown setting `codeAction.disableRuleComment`;"
            " did you mean `codeAction.disableRuleComment.enable`?",
        ),
        (
            {"configuration": 3},
            "configuration must be the path of a settings file or a table of settings, not `3`",
        ),
        ({"configuration": {"ignroe": []}}, "unknown setting `ignroe`; did you mean `ignore`?"),
    ],
)
def test_mistakes_are_told_once_and_politely(
    start: Start, tmp_path: Path, settings: dict[str, Any], message: str
) -> None:
    client = talk(start, tmp_path, settings)
    for name in ("a.py", "b.py"):
        uri = (tmp_path / name).as_uri()
        client.open(uri, "BAD")
        assert codes(client, uri) == ["bad-word"]
    assert told(client) == [f"jaxref: in the editor's settings, {message}"]


def test_inlay_hints_are_asked_for_anew(start: Start, tmp_path: Path) -> None:
    caps = capabilities()
    caps["workspace"]["inlayHint"] = {"refreshSupport": True}
    client = talk(start, tmp_path, {}, caps=caps)
    client.open((tmp_path / "a.py").as_uri(), "BAD")
    codes(client, (tmp_path / "a.py").as_uri())
    client.settings[tmp_path.as_uri()] = {"inlayHints": {"types": True}}
    mark = client.mark()
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait_for("workspace/inlayHint/refresh", mark)


def test_a_log_file_that_cannot_be_written(start: Start, tmp_path: Path) -> None:
    for name, written in (("jaxref.log", True), ("no/such/folder/jaxref.log", False)):
        file = tmp_path / name
        client = start(
            "server",
            "--log-file",
            str(file),
            "--log-level",
            "info",
            program=[sys.executable, "-m", "jaxref"],
        )
        client.initialize(folder=tmp_path)
        assert client.stop() == 0
        assert file.exists() is written
        assert (b"No such file" in client.errors) is not written


def test_a_settings_file_named_in_the_editor(start: Start, tmp_path: Path) -> None:
    (tmp_path / "jaxref.toml").write_text('ignore = ["bad-word"]\n')
    (tmp_path / "mine.toml").write_text('ignore = ["blue-word"]\nignroe = []\n')
    client = talk(start, tmp_path, {"configuration": "mine.toml"})
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, "BAD BLUE")
    assert codes(client, uri) == ["bad-word"]
    # Its mistakes are shown in it, and it is watched like any other.
    (found,) = client.published((tmp_path / "mine.toml").as_uri())["diagnostics"]
    assert found["range"] == span(1, 0, 1, 11)
    (tmp_path / "mine.toml").write_text("")
    mark = client.mark()
    watched(client, tmp_path / "mine.toml")
    assert codes(client, uri, mark) == ["bad-word", "blue-word"]
    client.settings[tmp_path.as_uri()] = {"configuration": "${nothing}/gone.toml"}
    mark = client.mark()
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert codes(client, uri, mark) == ["blue-word"]
    assert [line for line in told(client) if "configuration: no such file" in line]


@pytest.mark.parametrize(
    ("preference", "expected"),
    [
        ("editorFirst", (["bad-word"], "0.12")),
        ("filesystemFirst", (["bad-word"], "0.11")),
        ("editorOnly", (["bad-word", "blue-word"], "0.12")),
    ],
)
def test_who_wins(
    start: Start, tmp_path: Path, preference: str, expected: tuple[list[str], str]
) -> None:
    """Lists of ignored rules add up; of single values one wins."""
    (tmp_path / "jaxref.toml").write_text('ignore = ["blue-word"]\njax-version = "0.11"\n')
    settings = {
        "configuration": {"jaxVersion": "0.10", "ignore": ["unused-ignore"]},
        "jaxVersion": "0.12",
        "configurationPreference": preference,
    }
    client = talk(start, tmp_path, settings)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, "BAD BLUE OLD")
    found = client.published(uri)["diagnostics"]
    rules = [one["code"] for one in found if one["code"] != "jax-version"]
    (version,) = [one["message"] for one in found if one["code"] == "jax-version"]
    assert (rules, version) == expected
    assert told(client) == []


def test_the_editors_own_settings_count_where_the_project_has_none(
    start: Start, tmp_path: Path
) -> None:
    settings = {"configurationPreference": "filesystemFirst", "ignore": ["bad-word"]}
    client = start()
    client.initialize(folder=tmp_path, caps=pushed_only(), initializationOptions=settings)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, "BAD BLUE")
    assert codes(client, uri) == ["blue-word"]

"""Findings of files that are not open: pulled, pushed, or looked for once."""

from __future__ import annotations

import itertools
import json
import time
from pathlib import Path
from typing import Any

import pytest
from client import PATIENCE, Client, at, capabilities

from conftest import Start

EVERYTHING = {"diagnosticMode": "workspace"}
CHECK = {"command": "jaxref.server.checkWorkspace"}


def watched(client: Client, *changes: tuple[Path, int]) -> None:
    """Tell of files that were made (1), changed (2) or deleted (3)."""
    told = [{"uri": path.as_uri(), "type": kind} for path, kind in changes]
    client.notify("workspace/didChangeWatchedFiles", {"changes": told})


def talk(start: Start, folder: Path, settings: dict[str, Any], **more: Any) -> Client:
    client = start()
    client.settings[folder.as_uri()] = settings
    client.initialize(folder=folder, **more)
    return client


def codes(client: Client, path: Path, after: int = 0) -> list[str]:
    return [one["code"] for one in client.published(path.as_uri(), after)["diagnostics"]]


def pull_params(previous: dict[str, str] | None = None, **more: Any) -> dict[str, Any]:
    ids = [{"uri": uri, "value": value} for uri, value in (previous or {}).items()]
    return {"identifier": "jaxref", "previousResultIds": ids, **more}


def pulled(answer: Any) -> dict[str, list[str]]:
    """What the reports say, by URI."""
    return {
        report["uri"]: [one["message"] for one in report["items"]] for report in answer["items"]
    }


def registered(client: Client, workspace: bool, after: int = 0) -> None:
    """Wait until the client was asked to pull in this way."""

    def wanted(message: dict[str, Any]) -> bool:
        return message.get("method") == "client/registerCapability" and any(
            one["method"] == "textDocument/diagnostic"
            and one["registerOptions"]["workspaceDiagnostics"] is workspace
            for one in message["params"]["registrations"]
        )

    client.wait(wanted, after)


def answered(client: Client, number: int) -> bool:
    return any("method" not in one and one.get("id") == number for one in client.received)


def told_once(client: Client, path: Path) -> None:
    """Nothing is pushed for a file twice in a row."""
    found = [json.dumps(one["diagnostics"]) for one in client.publications(path.as_uri())]
    assert all(one != other for one, other in itertools.pairwise(found)), found


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """A repository with findings here and there."""
    (tmp_path / ".git").mkdir()
    (tmp_path / ".gitignore").write_text("ignored.py\n")
    (tmp_path / "jaxref.toml").write_text('extend-exclude = ["excluded"]\n')
    for name, text in {
        "bad.py": "BAD",
        "good.py": "GOOD",
        "ignored.py": "BAD",
        "excluded/x.py": "BAD",
        "venv/x.py": "BAD",
        "deep/er/blue.py": "BLUE",
        "page.md": "# Page\n\nBAD\n\n```python\nx = 1\nBAD\n```\n",
    }.items():
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
    cells = [
        {"cell_type": "markdown", "metadata": {}, "source": ["BAD"]},
        *(
            {
                "cell_type": "code",
                "metadata": {},
                "source": [source],
                "execution_count": None,
                "outputs": [],
            }
            for source in ("x = 1", "y = 2\nBAD")
        ),
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (tmp_path / "book.ipynb").write_text(json.dumps(notebook, indent=1))
    return tmp_path


def expected(folder: Path) -> dict[str, list[str]]:
    return {
        (folder / "bad.py").as_uri(): ["`BAD`"],
        (folder / "book.ipynb").as_uri(): ["cell 3, line 2: `BAD`"],
        (folder / "deep/er/blue.py").as_uri(): ["blue"],
        (folder / "page.md").as_uri(): ["`BAD`"],
    }


def test_everything_is_pushed_where_nobody_pulls(start: Start, folder: Path) -> None:
    client = talk(start, folder, EVERYTHING)
    for uri, messages in expected(folder).items():
        assert [one["message"] for one in client.published(uri)["diagnostics"]] == messages
    page = client.published((folder / "page.md").as_uri())["diagnostics"][0]["range"]
    assert page["start"] == {"line": 6, "character": 0}
    book = client.published((folder / "book.ipynb").as_uri())["diagnostics"][0]["range"]
    line = (folder / "book.ipynb").read_text().splitlines()[book["start"]["line"]]
    assert line[book["start"]["character"] : book["end"]["character"]] == "BAD"
    told = {
        one["params"]["uri"]
        for one in client.received
        if one.get("method") == "textDocument/publishDiagnostics"
    }
    assert told == {*expected(folder), (folder / "jaxref.toml").as_uri()} - {
        (folder / "jaxref.toml").as_uri()
    }


def test_an_open_file_counts_and_is_told_once(start: Start, folder: Path) -> None:
    bad = folder / "bad.py"
    client = talk(start, folder, EVERYTHING)
    assert codes(client, bad) == ["bad-word"]
    mark = client.mark()
    client.open(bad.as_uri(), "BAD BLUE")
    found = client.published(bad.as_uri(), mark, version=1)["diagnostics"]
    assert [one["code"] for one in found] == ["bad-word", "blue-word"]
    # What changes on disk is of no interest while it is open.
    bad.write_text("OLD")
    watched(client, (bad, 2))
    mark = client.mark()
    client.close(bad.as_uri())
    assert codes(client, bad, mark) == []
    client.wait(lambda one: "unused-ignore" in str(one), mark)
    told_once(client, bad)


def test_what_happens_on_disk_is_followed(start: Start, folder: Path) -> None:
    bad, good, new = (folder / name for name in ("bad.py", "good.py", "new.py"))
    client = talk(start, folder, EVERYTHING)
    codes(client, folder / "page.md")
    mark = client.mark()
    good.write_text("BLUE")
    watched(client, (good, 2))
    assert codes(client, good, mark) == ["blue-word"]
    new.write_text("BAD")
    watched(client, (new, 1))
    assert codes(client, new, mark) == ["bad-word"]
    bad.unlink()
    watched(client, (bad, 3))
    assert codes(client, bad, mark) == []
    (folder / ".gitignore").write_text("new.py\n")
    mark = client.mark()
    watched(client, (folder / ".gitignore", 2))
    assert codes(client, new, mark) == []
    assert codes(client, folder / "ignored.py", mark) == ["bad-word"]


def test_an_open_text_counts_for_those_that_use_it(start: Start, folder: Path) -> None:
    user, used = folder / "user.py", folder / "used.py"
    user.write_text("USES used.py")
    used.write_text("one")
    client = talk(start, folder, EVERYTHING)
    (found,) = client.published(user.as_uri())["diagnostics"]
    assert found["message"] == "one"
    mark = client.mark()
    client.open(used.as_uri(), "two")
    (found,) = client.published(user.as_uri(), mark)["diagnostics"]
    assert found["message"] == "two"
    mark = client.mark()
    client.close(used.as_uri())
    (found,) = client.published(user.as_uri(), mark)["diagnostics"]
    assert found["message"] == "one"


def test_settings_are_followed(start: Start, folder: Path) -> None:
    bad, blue = folder / "bad.py", folder / "deep/er/blue.py"
    client = talk(start, folder, EVERYTHING)
    assert codes(client, bad) == ["bad-word"]
    assert codes(client, blue) == ["blue-word"]
    mark = client.mark()
    (folder / "deep" / "jaxref.toml").write_text('ignore = ["blue-word"]\n')
    watched(client, (folder / "deep" / "jaxref.toml", 1))
    assert codes(client, blue, mark) == []
    client.settings[folder.as_uri()] = {}
    mark = client.mark()
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert codes(client, bad, mark) == []


def test_a_pull_is_answered_when_there_is_something_new(start: Start, folder: Path) -> None:
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    answer = client.request("workspace/diagnostic", pull_params())
    assert pulled(answer) == expected(folder)
    previous = {one["uri"]: one["resultId"] for one in answer["items"]}
    number = client.ask("workspace/diagnostic", pull_params(previous))
    bad = (folder / "bad.py").as_uri()
    client.open(bad, "BAD")
    assert [one["code"] for one in client.pull(bad)["items"]] == ["bad-word"]
    client.change(bad, 2, "GOOD")
    assert client.pull(bad)["items"] == []
    assert not answered(client, number)
    (folder / "good.py").write_text("BLUE")
    (folder / "page.md").unlink()
    watched(client, (folder / "good.py", 2), (folder / "page.md", 3))
    news = {(folder / "good.py").as_uri(): ["blue"], (folder / "page.md").as_uri(): []}
    assert pulled(client.answer_to(number)["result"]) == news
    assert not [one for one in client.received if "publishDiagnostics" in str(one.get("method"))]


def test_a_closed_file_is_reported_again(start: Start, folder: Path) -> None:
    """The client forgets what it had of a document that it closes."""
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    answer = client.request("workspace/diagnostic", pull_params())
    previous = {one["uri"]: one["resultId"] for one in answer["items"]}
    number = client.ask("workspace/diagnostic", pull_params(previous))
    bad = (folder / "bad.py").as_uri()
    client.open(bad, "BAD")
    client.close(bad)
    assert pulled(client.answer_to(number)["result"]) == {bad: ["`BAD`"]}


def test_ids_of_a_client_that_writes_uris_in_its_own_way(start: Start, folder: Path) -> None:
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    answer = client.request("workspace/diagnostic", pull_params())
    previous = {one["uri"].replace("bad", "b%61d"): one["resultId"] for one in answer["items"]}
    (folder / "bad.py").write_text("BLUE")
    (folder / "good.py").write_text("BLUE")
    watched(client, (folder / "bad.py", 2), (folder / "good.py", 2))
    answer = client.request("workspace/diagnostic", pull_params(previous))
    own = (folder / "bad.py").as_uri().replace("bad", "b%61d")
    assert pulled(answer) == {own: ["blue"], (folder / "good.py").as_uri(): ["blue"]}


def test_without_watching_a_pull_looks_for_changes_itself(start: Start, folder: Path) -> None:
    caps = capabilities(pull=True)
    del caps["workspace"]["didChangeWatchedFiles"]
    client = talk(start, folder, EVERYTHING, caps=caps)
    registered(client, True)
    answer = client.request("workspace/diagnostic", pull_params())
    previous = {one["uri"]: one["resultId"] for one in answer["items"]}
    (folder / "bad.py").write_text("BLUE again")
    (folder / "new.py").write_text("BAD")
    news = {(folder / "bad.py").as_uri(): ["blue"], (folder / "new.py").as_uri(): ["`BAD`"]}
    answer = client.request("workspace/diagnostic", pull_params(previous))
    assert pulled(answer) == news
    previous |= {one["uri"]: one["resultId"] for one in answer["items"]}
    assert client.request("workspace/diagnostic", pull_params(previous)) == {"items": []}


def test_parts_and_progress(start: Start, folder: Path) -> None:
    for number in range(8):
        (folder / f"slow{number}.py").write_text("SLOW SLOW BAD")
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    asked = pull_params(partialResultToken="parts", workDoneToken="work")
    assert client.request("workspace/diagnostic", asked) == {"items": []}
    told = [one["params"] for one in client.received if one.get("method") == "$/progress"]
    parts = [one["value"] for one in told if one["token"] == "parts"]
    assert len(parts) > 1
    found: dict[str, list[str]] = {}
    for part in parts:
        found |= pulled(part)
    slow = {(folder / f"slow{number}.py").as_uri(): ["`BAD`"] for number in range(8)}
    assert found == expected(folder) | slow
    work = [one["value"] for one in told if one["token"] == "work"]
    assert (work[0]["kind"], work[-1]["kind"]) == ("begin", "end")
    assert any(one["kind"] == "report" and one["percentage"] > 0 for one in work)
    assert work[-1]["message"] == "13 of 13 files"


def test_the_server_shows_long_work_of_its_own_accord(start: Start, folder: Path) -> None:
    for number in range(20):
        (folder / f"slow{number}.py").write_text("SLOW " * 3)
    client = talk(start, folder, EVERYTHING)
    token = client.wait_for("window/workDoneProgress/create")["params"]["token"]

    def told(kind: str) -> None:
        client.wait(
            lambda one: (
                one.get("method") == "$/progress"
                and one["params"]["token"] == token
                and one["params"]["value"]["kind"] == kind
            )
        )

    told("begin")
    client.notify("window/workDoneProgress/cancel", {"token": token})
    told("end")


def test_what_takes_no_time_is_not_shown(start: Start, folder: Path) -> None:
    client = talk(start, folder, EVERYTHING)
    codes(client, folder / "page.md")
    assert client.stop() == 0
    assert not [one for one in client.received if "rogress" in str(one.get("method"))]


def test_a_pull_can_be_cancelled(start: Start, folder: Path) -> None:
    (folder / "slow.py").write_text("SLOW " * 10_000)
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    number = client.ask("workspace/diagnostic", pull_params(workDoneToken="work"))
    client.wait_for("$/progress")
    client.notify("$/cancelRequest", {"id": number})
    assert client.answer_to(number)["error"]["code"] == -32800
    # The analysis was given up, too: it would go on for a quarter of an hour.
    client.open("file:///nowhere/x.py", "BAD")
    assert client.pull("file:///nowhere/x.py")["items"]
    assert client.stop() == 0


def test_what_somebody_waits_for_comes_first(start: Start, folder: Path) -> None:
    (folder / "slow.py").write_text("SLOW " * 20)
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    number = client.ask("workspace/diagnostic", pull_params())
    client.open((folder / "open.py").as_uri(), "word")
    for _ in range(3):
        assert client.hover((folder / "open.py").as_uri(), 0, 1) is not None
    assert not answered(client, number)
    assert pulled(client.answer_to(number)["result"]) == expected(folder)


def test_what_is_known_late_is_waited_for(start: Start, folder: Path) -> None:
    (folder / "late.py").write_text("LATE")
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    late = {(folder / "late.py").as_uri(): ["known at last"]}
    assert pulled(client.request("workspace/diagnostic", pull_params())) == expected(folder) | late


def test_a_crash_costs_one_file(start: Start, folder: Path) -> None:
    (folder / "crash.py").write_text("CRASH BAD")
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    assert pulled(client.request("workspace/diagnostic", pull_params())) == expected(folder)
    (told,) = [one for one in client.received if one.get("method") == "window/showMessage"]
    assert "crash.py" in told["params"]["message"]


def test_a_client_that_pulls_files_only_is_pushed_the_rest(start: Start, folder: Path) -> None:
    """As Neovim does: nothing in its capabilities says so."""
    bad = folder / "bad.py"
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    assert codes(client, bad) == ["bad-word"]
    # One that asks late gets its answer, and loses what was pushed.
    mark = client.mark()
    assert pulled(client.request("workspace/diagnostic", pull_params())) == expected(folder)
    assert codes(client, bad, mark) == []


def test_the_mode_changes_how_the_client_pulls(start: Start, folder: Path) -> None:
    client = talk(start, folder, {}, pull=True)
    registered(client, False)
    assert client.request("workspace/diagnostic", pull_params()) == {"items": []}
    for settings, workspace in ((EVERYTHING, True), ({}, False)):
        client.settings[folder.as_uri()] = settings
        mark = client.mark()
        client.notify("workspace/didChangeConfiguration", {"settings": None})
        client.wait_for("client/unregisterCapability", mark)
        registered(client, workspace, mark)


def test_a_client_that_registers_nothing_is_told_at_the_start(start: Start, folder: Path) -> None:
    caps = capabilities(pull=True)
    caps["textDocument"]["diagnostic"] = {}
    for settings in ({}, EVERYTHING):
        client = start()
        offered = client.initialize(caps=caps, folder=folder, initializationOptions=settings)
        provider = offered["diagnosticProvider"]
        assert provider["workspaceDiagnostics"] is bool(settings)


def test_checking_once(start: Start, folder: Path) -> None:
    bad, blue = folder / "bad.py", folder / "deep/er/blue.py"
    client = talk(start, folder, {}, pull=True)
    registered(client, False)
    client.open(blue.as_uri(), "BLUE")
    found = client.request("workspace/executeCommand", {**CHECK, "workDoneToken": 7})
    assert found == {"files": 4, "findings": 3, "stopped": False}
    assert codes(client, bad) == ["bad-word"]
    assert client.publications(blue.as_uri()) == []
    kinds = [
        one["params"]["value"]["kind"]
        for one in client.received
        if one.get("method") == "$/progress" and one["params"]["token"] == 7
    ]
    assert (kinds[0], kinds[-1]) == ("begin", "end")
    # Findings go when they no longer hold; new ones are not looked for.
    (folder / "good.py").write_text("BAD")
    bad.write_text("GOOD")
    mark = client.mark()
    watched(client, (folder / "good.py", 2), (bad, 2))
    assert codes(client, bad, mark) == []
    client.open((folder / "page.md").as_uri(), "", language="markdown")
    client.open((folder / "other.py").as_uri(), "word")
    assert client.publications((folder / "good.py").as_uri()) == []
    # An open file is pulled.
    bad.write_text("BLUE")
    client.request("workspace/executeCommand", CHECK)
    assert codes(client, bad, mark + 1) == []
    mark = client.mark()
    client.open(bad.as_uri(), "BLUE")
    assert codes(client, bad, mark) == []
    assert [one["code"] for one in client.pull(bad.as_uri())["items"]] == ["blue-word"]
    told_once(client, bad)


def test_checking_once_what_is_pulled_anyway(start: Start, folder: Path) -> None:
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    found = client.request("workspace/executeCommand", CHECK)
    assert found == {"files": 5, "findings": 4, "stopped": False}
    assert pulled(client.request("workspace/diagnostic", pull_params())) == expected(folder)
    assert not [one for one in client.received if "publishDiagnostics" in str(one.get("method"))]


def test_checking_once_can_be_stopped(start: Start, folder: Path) -> None:
    for number in range(100):
        (folder / f"slow{number}.py").write_text("SLOW SLOW")
    client = talk(start, folder, {}, pull=True)
    registered(client, False)
    number = client.ask("workspace/executeCommand", {**CHECK, "workDoneToken": "w"})
    client.wait(lambda one: one.get("method") == "$/progress" and "2 of" in str(one))
    client.notify("window/workDoneProgress/cancel", {"token": "w"})
    found = client.answer_to(number)["result"]
    assert found["stopped"] is True
    assert 0 < found["files"] < 100


def test_the_walk_over_folders_can_be_stopped(start: Start, folder: Path) -> None:
    for number in range(1000):
        (folder / f"folder{number}").mkdir()
        (folder / f"folder{number}" / "a.py").touch()
    client = talk(start, folder, {}, pull=True)
    registered(client, False)
    # While this is analysed, which takes a second, nothing else is.
    client.open((folder / "open.py").as_uri(), "STUCK")
    client.ask("textDocument/hover", at((folder / "open.py").as_uri(), 0, 0))
    number = client.ask("workspace/executeCommand", {**CHECK, "workDoneToken": "w"})
    client.wait_for("$/progress")
    client.notify("window/workDoneProgress/cancel", {"token": "w"})
    found = client.answer_to(number)["result"]
    assert found == {"files": 0, "findings": 0, "stopped": True}


def test_settings_that_change_during_the_walk(start: Start, folder: Path) -> None:
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    # While this is analysed, which takes a second, no folder is walked.
    client.open((folder / "open.py").as_uri(), "STUCK")
    client.ask("textDocument/hover", at((folder / "open.py").as_uri(), 0, 0))
    number = client.ask("workspace/diagnostic", pull_params(workDoneToken="w"))
    client.wait_for("$/progress")
    client.settings[folder.as_uri()] = {**EVERYTHING, "exclude": ["bad.py"]}
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    found = pulled(client.answer_to(number)["result"])
    assert found.keys() == expected(folder).keys() - {(folder / "bad.py").as_uri()}


def test_off_means_no_findings_at_all(start: Start, folder: Path) -> None:
    client = talk(start, folder, {"diagnosticMode": "off"}, pull=True)
    registered(client, False)
    found = client.request("workspace/executeCommand", CHECK)
    assert found == {"files": 0, "findings": 0, "stopped": False}
    uri = (folder / "bad.py").as_uri()
    client.open(uri, "BAD word")
    assert client.pull(uri)["items"] == []
    assert client.actions(uri) == []
    assert client.hover(uri, 0, 5) is not None


def test_a_stopped_search_is_not_taken_up_again_at_once(start: Start, folder: Path) -> None:
    for number in range(100):
        (folder / f"slow{number}.py").write_text("SLOW SLOW")
    client = talk(start, folder, EVERYTHING, pull=True)
    registered(client, True)
    number = client.ask("workspace/diagnostic", pull_params(workDoneToken="w"))
    client.wait(lambda one: one.get("method") == "$/progress" and "2 of" in str(one))
    client.notify("window/workDoneProgress/cancel", {"token": "w"})
    previous = {one["uri"]: one["resultId"] for one in client.answer_to(number)["result"]["items"]}
    mark = client.mark()
    number = client.ask("workspace/diagnostic", pull_params(previous, workDoneToken="x"))
    client.open("file:///nowhere/x.py", "BAD")
    client.pull("file:///nowhere/x.py")
    assert not [one for one in client.received[mark:] if one.get("method") == "$/progress"]
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.wait(lambda one: one.get("method") == "$/progress", mark)


def test_two_folders_with_modes_of_their_own(start: Start, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    for path in (one, two):
        path.mkdir()
        (path / "a.py").write_text("BAD")
    client = start()
    client.settings[one.as_uri()] = EVERYTHING
    folders = [{"uri": path.as_uri(), "name": path.name} for path in (one, two)]
    client.initialize(workspaceFolders=folders)
    assert codes(client, one / "a.py") == ["bad-word"]
    until = time.monotonic() + PATIENCE
    client.settings[two.as_uri()] = EVERYTHING
    assert client.publications((two / "a.py").as_uri()) == []
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    assert codes(client, two / "a.py") == ["bad-word"]
    assert time.monotonic() < until

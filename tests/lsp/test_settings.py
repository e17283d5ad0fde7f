"""Settings: the client's over those of the nearest file, per folder, and live."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest
from client import HERE, Client, capabilities, span

from conftest import Start
from jaxref.lsp.configuration import Configuration


def pushed_only() -> dict[str, Any]:
    """The capabilities of a client that cannot be asked for settings."""
    caps = capabilities()
    del caps["workspace"]["configuration"]
    return caps


def codes(client: Client, uri: str, after: int = 0) -> list[str]:
    return [one["code"] for one in client.published(uri, after)["diagnostics"]]


def watched(client: Client, path: Path, kind: int = 2) -> None:
    changes = [{"uri": path.as_uri(), "type": kind}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})


@pytest.fixture
def module(tmp_path: Path) -> str:
    return (tmp_path / "a.py").as_uri()


def test_the_nearest_file_counts_and_is_watched(start: Start, tmp_path: Path, module: str) -> None:
    client = start()
    client.initialize(folder=tmp_path)
    client.open(module, "BAD BLUE")
    assert codes(client, module) == ["bad-word", "blue-word"]
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.jaxref]\nignore = ["bad-word"]\n')
    mark = client.mark()
    watched(client, settings, 1)
    assert codes(client, module, mark) == ["blue-word"]
    settings.unlink()
    mark = client.mark()
    watched(client, settings, 3)
    assert codes(client, module, mark) == ["bad-word", "blue-word"]


def test_a_pulling_client_is_asked_to_pull_after_a_change_of_settings(
    start: Start, tmp_path: Path, module: str
) -> None:
    client = start()
    client.initialize(folder=tmp_path, pull=True)
    client.open(module, "BAD")
    first = client.pull(module)
    settings = tmp_path / "jaxref.toml"
    settings.write_text('ignore = ["bad-word"]\n')
    mark = client.mark()
    watched(client, settings, 1)
    client.wait_for("workspace/diagnostic/refresh", mark)
    assert client.pull(module, first["resultId"])["items"] == []


def test_initialization_options(start: Start, module: str) -> None:
    client = start()
    options = {"settings": {"ignore": ["bad-word"]}}
    client.initialize(caps=pushed_only(), initializationOptions=options)
    client.open(module, "BAD BLUE")
    assert codes(client, module) == ["blue-word"]


@pytest.mark.parametrize(
    "wrapped",
    [
        {"ignore": ["grad-of-ref"]},
        {"settings": {"ignore": ["grad-of-ref"]}},
        {"jaxref": {"ignore": ["grad-of-ref"]}},
        {"settings": {"jaxref": {"ignore": ["grad-of-ref"]}}},
    ],
)
def test_the_forms_in_which_clients_push_settings(wrapped: dict[str, Any], tmp_path: Path) -> None:
    configuration = Configuration(lambda path, problems: None, lambda: ())
    configuration.pushed(wrapped)
    assert configuration.settings_of(str(tmp_path / "a.py")).ignore == ("grad-of-ref",)


def test_asked_settings_win_over_the_file_and_change_live(
    start: Start, tmp_path: Path, module: str
) -> None:
    (tmp_path / "jaxref.toml").write_text('ignore = ["bad-word"]\njax-version = "0.11"\n')
    client = start()
    client.settings[tmp_path.as_uri()] = {"jaxVersion": "0.12", "ignore": []}
    client.initialize(folder=tmp_path)
    client.open(module, "BAD BLUE")
    # An empty list is what editors send for a setting that nobody has made.
    found = client.published(module)["diagnostics"]
    assert [one["message"] for one in found] == ["0.12", "blue"]

    client.settings[tmp_path.as_uri()] = {"jaxVersion": "auto", "ignore": ["blue-word"]}
    mark = client.mark()
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    found = client.published(module, mark)["diagnostics"]
    assert [one["message"] for one in found] == ["0.11"]


def test_pushed_settings(start: Start, module: str) -> None:
    client = start()
    client.initialize(caps=pushed_only())
    client.open(module, "BAD BLUE")
    assert codes(client, module) == ["bad-word", "blue-word"]
    mark = client.mark()
    settings = {"jaxref": {"select": ["blue-word"]}}
    client.notify("workspace/didChangeConfiguration", {"settings": settings})
    assert codes(client, module, mark) == ["blue-word"]


def test_settings_are_per_folder(start: Start, tmp_path: Path) -> None:
    one, two = tmp_path / "one", tmp_path / "two"
    one.mkdir()
    two.mkdir()
    client = start()
    client.settings[one.as_uri()] = {"ignore": ["bad-word"]}
    folders = [{"uri": one.as_uri(), "name": "one"}]
    client.initialize(workspaceFolders=folders)
    first, second = (one / "a.py").as_uri(), (two / "a.py").as_uri()
    client.open(first, "BAD BLUE")
    client.open(second, "BAD BLUE")
    assert codes(client, first) == ["blue-word"]
    assert codes(client, second) == ["bad-word", "blue-word"]
    client.settings[two.as_uri()] = {"ignore": ["blue-word"]}
    mark = client.mark()
    added = [{"uri": two.as_uri(), "name": "two"}]
    client.notify(
        "workspace/didChangeWorkspaceFolders", {"event": {"added": added, "removed": folders}}
    )
    assert codes(client, second, mark) == ["bad-word"]
    assert codes(client, first, mark) == ["bad-word", "blue-word"]


def test_a_client_that_never_answers(start: Start, module: str) -> None:
    client = start()
    client.answers_settings = False
    client.initialize()
    client.open(module, "BAD")
    assert codes(client, module) == ["bad-word"]
    assert client.stop() == 0


@pytest.mark.parametrize("garbage", [5, {"ignore": 7, "jaxVersion": {}}])
def test_garbage_is_survived(start: Start, garbage: Any, module: str) -> None:
    client = start()
    client.settings[None] = garbage
    client.initialize(initializationOptions=garbage)
    client.notify("workspace/didChangeConfiguration", {"settings": garbage})
    client.open(module, "BAD")
    assert codes(client, module) == ["bad-word"]
    assert client.stop() == 0


def test_a_mistake_in_the_clients_settings_is_said_once(start: Start, module: str) -> None:
    client = start()
    client.settings[None] = {"jaxVersion": "latest"}
    client.initialize()
    client.open(module, "BAD")
    client.published(module)
    client.notify("workspace/didChangeConfiguration", {"settings": None})
    client.open(module.replace("a.py", "b.py"), "BAD")
    client.published(module.replace("a.py", "b.py"))
    client.stop()
    said = [one for one in client.received if one.get("method") == "window/showMessage"]
    assert len(said) == 1
    assert "jax-version" in said[0]["params"]["message"]


def test_the_settings_of_the_extension_are_known(tmp_path: Path) -> None:
    manifest = json.loads((HERE.parents[1] / "vscode-client" / "package.json").read_text())
    known = manifest["contributes"]["configuration"]["properties"]
    told: list[str] = []
    environment = tmp_path / "environment"
    (environment / "lib" / "python3.12" / "site-packages").mkdir(parents=True)
    file = tmp_path / "other.toml"
    file.touch()
    by_name = {"jaxref.python": str(environment), "jaxref.configuration": str(file)}
    by_type = {"array": ["x"], "object": {"grad-of-ref": "hint"}, "boolean": False}
    for prefix in ("", "nested"):
        section: dict[str, Any] = {}
        for name, schema in known.items():
            kind = schema["type"] if isinstance(schema["type"], str) else schema["type"][0]
            value = by_name.get(name, by_type.get(kind, schema.get("enum", ["0.12"])[-1]))
            first, _, rest = name.removeprefix("jaxref.").partition(".")
            if rest and prefix:
                section.setdefault(first, {})[rest] = value
            else:
                section[name.removeprefix("jaxref.")] = value
        configuration = Configuration(
            lambda path, problems: told.extend(map(str, problems)), lambda: ()
        )
        configuration.pushed(section)
        settings = configuration.settings_of(str(tmp_path / "a.py"))
        assert settings.jax_version == (0, 12)
        assert settings.severity == {"grad-of-ref": "hint"}
    assert told == []


def test_a_misspelt_setting_of_the_client_is_told(tmp_path: Path) -> None:
    told: list[str] = []
    configuration = Configuration(
        lambda path, problems: told.extend(map(str, problems)), lambda: ()
    )
    configuration.pushed({"ignroe": ["grad-of-ref"]})
    configuration.settings_of(str(tmp_path / "a.py"))
    assert told == ["unknown setting `ignroe`; did you mean `ignore`?"]


def test_a_mistake_in_a_settings_file_is_shown_there(
    start: Start, tmp_path: Path, module: str
) -> None:
    settings = tmp_path / "pyproject.toml"
    settings.write_text('[tool.jaxref]\nignroe = ["bad-word"]\n')
    client = start()
    client.initialize(folder=tmp_path, pull=True)
    client.open(module, "BAD")
    client.pull(module)
    (found,) = client.published(settings.as_uri())["diagnostics"]
    assert found["range"] == span(1, 0, 1, 21)
    assert "`ignore`" in found["message"]
    assert found["source"] == "jaxref"
    settings.write_text('[tool.jaxref]\nignore = ["bad-word"]\n')
    mark = client.mark()
    watched(client, settings)
    assert client.published(settings.as_uri(), mark)["diagnostics"] == []
    assert client.pull(module)["items"] == []
    settings.write_text("[tool.jaxref]\nignore = [\n")
    mark = client.mark()
    watched(client, settings)
    assert client.published(settings.as_uri(), mark)["diagnostics"]
    settings.unlink()
    mark = client.mark()
    watched(client, settings, 3)
    assert client.published(settings.as_uri(), mark)["diagnostics"] == []


def test_settings_are_reread_when_the_client_does_not_watch(
    start: Start, tmp_path: Path, module: str
) -> None:
    caps = capabilities()
    del caps["workspace"]["didChangeWatchedFiles"]
    client = start()
    client.initialize(folder=tmp_path, caps=caps)
    client.open(module, "BAD")
    assert codes(client, module) == ["bad-word"]
    (tmp_path / "jaxref.toml").write_text('ignore = ["bad-word"]\n')
    mark = client.mark()
    client.notify("textDocument/didSave", {"textDocument": {"uri": module}})
    assert codes(client, module, mark) == []


def test_the_clients_defaults_do_not_hide_the_projects_settings(
    start: Start, tmp_path: Path
) -> None:
    """What VS Code sends when the user has set nothing but one exclusion."""
    (tmp_path / "jaxref.toml").write_text(
        'ignore = ["bad-word"]\nhints = false\nexclude = ["generated"]\npython = ".venv"\n'
    )
    (tmp_path / ".venv").mkdir()
    client = start()
    client.settings[tmp_path.as_uri()] = {
        "enable": True,
        "interpreter": "/usr/bin/python3",
        "importStrategy": "useBundled",
        "path": [],
        "python": "",
        "select": None,
        "ignore": [],
        "severity": {},
        "exclude": ["mine"],
        "jaxVersion": "",
        "hints": True,
        "logLevel": "info",
        "trace": {"server": "off"},
    }
    client.initialize(folder=tmp_path)
    client.open((tmp_path / "a.py").as_uri(), "BAD BLUE")
    assert codes(client, (tmp_path / "a.py").as_uri()) == ["blue-word"]
    for excluded in ("generated", "mine"):
        uri = (tmp_path / excluded / "a.py").as_uri()
        client.open(uri, "BLUE")
        assert codes(client, uri) == []
    found = client.request("workspace/executeCommand", {"command": "jaxref.server.information"})
    assert {one["python"] for one in found["modules"]} == {str(tmp_path / ".venv")}
    client.stop()
    assert not [one for one in client.received if one.get("method") == "window/showMessage"]


def test_excluded_files_are_left_alone(start: Start, tmp_path: Path) -> None:
    (tmp_path / "jaxref.toml").write_text('extend-exclude = ["generated"]\n')
    client = start()
    client.initialize(folder=tmp_path)
    for place in ("venv/lib/x.py", "generated/x.py"):
        uri = (tmp_path / place).as_uri()
        client.open(uri, "BAD word")
        assert codes(client, uri) == []
        assert client.actions(uri) == []
    client.open((tmp_path / "x.py").as_uri(), "BAD word")
    assert codes(client, (tmp_path / "x.py").as_uri()) == ["bad-word"]


def test_an_untitled_document_has_the_settings_of_the_first_folder(
    start: Start, tmp_path: Path
) -> None:
    (tmp_path / "jaxref.toml").write_text('ignore = ["bad-word"]\n')
    client = start()
    client.initialize(folder=tmp_path)
    client.open("untitled:Untitled-1", "BAD BLUE")
    assert codes(client, "untitled:Untitled-1") == ["blue-word"]

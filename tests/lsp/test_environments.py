"""Which environment is read, as the server itself says."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

import pytest
from client import Client, span
from test_real import STEP

from conftest import Start


def environment(prefix: Path, jax: str) -> Path:
    """An environment on disk that holds nothing but the metadata of a JAX."""
    packages = prefix / "lib" / "python3.12" / "site-packages"
    metadata = packages / f"jax-{jax}.dist-info" / "METADATA"
    metadata.parent.mkdir(parents=True)
    metadata.write_text(f"Metadata-Version: 2.1\nName: jax\nVersion: {jax}\n\n")
    (prefix / "pyvenv.cfg").write_text("version = 3.12.1\n")
    return prefix


@pytest.fixture
def client(start: Start, monkeypatch: pytest.MonkeyPatch) -> Client:
    for variable in ("VIRTUAL_ENV", "CONDA_PREFIX"):
        monkeypatch.delenv(variable, raising=False)
    return start("server", program=[sys.executable, "-m", "jaxref"])


def held(client: Client, uri: str) -> dict[str, Any]:
    """What the server says of one document."""
    asked = {"command": "jaxref.server.information", "arguments": [uri]}
    (module,) = client.request("workspace/executeCommand", asked)["modules"]
    return module


def change(client: Client, folder: Path, **settings: Any) -> None:
    client.settings[folder.as_uri()] = settings
    client.notify("workspace/didChangeConfiguration", {"settings": None})


def told(client: Client) -> list[str]:
    return [
        one["params"]["message"]
        for one in client.received
        if one.get("method") == "window/showMessage"
    ]


def test_who_says_which_environment_is_read(client: Client, tmp_path: Path) -> None:
    environment(tmp_path / ".venv", "0.8.1")
    chosen = environment(tmp_path / "chosen", "0.9.1")
    environment(tmp_path / "named", "0.10.1")
    explicit = environment(tmp_path / "explicit", "0.11.1")
    uri = (tmp_path / "a.py").as_uri()
    client.initialize(folder=tmp_path)
    client.open(uri, STEP)
    assert held(client, uri)["jaxVersion"] == "0.8.1"
    # In rising order: what is chosen in the editor, the project's settings, the editor's settings.
    change(client, tmp_path, environment=str(chosen))
    found = held(client, uri)
    assert (found["jaxVersion"], found["environmentFrom"]) == ("0.9.1", "the editor")
    (tmp_path / "pyproject.toml").write_text('[tool.jaxref]\npython = "named"\n')
    settings = [{"uri": (tmp_path / "pyproject.toml").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": settings})
    assert held(client, uri)["jaxVersion"] == "0.10.1"
    change(client, tmp_path, environment=str(chosen), python=str(explicit))
    assert held(client, uri)["jaxVersion"] == "0.11.1"
    change(client, tmp_path, jaxVersion="0.12")
    found = held(client, uri)
    assert (found["jaxVersion"], found["jaxVersionFrom"]) == ("0.12", "settings")
    assert told(client) == []


def test_a_chosen_environment_that_is_gone_is_passed_over(client: Client, tmp_path: Path) -> None:
    environment(tmp_path / ".venv", "0.8.1")
    client.settings[tmp_path.as_uri()] = {"environment": str(tmp_path / "gone" / "bin" / "python")}
    client.initialize(folder=tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, STEP)
    assert held(client, uri)["jaxVersion"] == "0.8.1"
    assert told(client) == []


def test_an_environment_that_comes_and_goes(client: Client, tmp_path: Path) -> None:
    client.initialize(folder=tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, STEP)
    client.published(uri)
    assert held(client, uri)["environment"] is None
    mark = client.mark()
    prefix = environment(tmp_path / ".venv", "0.11.1")
    changes = [{"uri": (prefix / "pyvenv.cfg").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    client.published(uri, mark)
    assert held(client, uri)["jaxVersion"] == "0.11.1"


def test_an_environment_in_the_projects_own_folder(client: Client, tmp_path: Path) -> None:
    environment(tmp_path, "0.11.1")
    (tmp_path / ".gitignore").write_text("*\n")
    client.initialize(folder=tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, STEP)
    (found,) = client.published(uri)["diagnostics"]
    assert found["code"] == "unbound-ref-gradient"
    assert held(client, uri)["jaxVersion"] == "0.11.1"


def test_a_setting_that_leads_nowhere_is_told_where_it_stands(
    client: Client, tmp_path: Path
) -> None:
    settings = tmp_path / "jaxref.toml"
    settings.write_text('ignore = []\npython = "gone"\n')
    client.initialize(folder=tmp_path)
    uri = (tmp_path / "a.py").as_uri()
    client.open(uri, STEP)
    (found,) = client.published(settings.as_uri())["diagnostics"]
    assert found["range"] == span(1, 0, 1, 15)
    assert "no environment" in found["message"]
    environment(tmp_path / "gone", "0.11.1")
    mark = client.mark()
    changes = [{"uri": (tmp_path / "gone" / "pyvenv.cfg").as_uri(), "type": 1}]
    client.notify("workspace/didChangeWatchedFiles", {"changes": changes})
    assert client.published(settings.as_uri(), mark)["diagnostics"] == []
    assert told(client) == []
    change(client, tmp_path, python=str(tmp_path / "lost"))
    held(client, uri)
    assert [line for line in told(client) if "lost" in line]


def test_two_folders_with_jax_of_their_own(client: Client, tmp_path: Path) -> None:
    """What JAX does about a program depends on its version: before 0.11 a VJP cannot be bound."""
    titles = []
    for name, jax in (("older", "0.10.2"), ("newer", "0.12.0")):
        environment(tmp_path / name / ".venv", jax)
    folders = [{"uri": (tmp_path / name).as_uri(), "name": name} for name in ("older", "newer")]
    client.initialize(workspaceFolders=folders)
    for name in ("older", "newer"):
        uri = (tmp_path / name / "a.py").as_uri()
        client.open(uri, STEP)
        client.published(uri)
        assert held(client, uri)["environment"] == str(tmp_path / name / ".venv")
        titles.append([one["title"] for one in client.actions(uri, only=["quickfix"])])
    bind = "Bind a gradient ref"
    assert not any(title.startswith(bind) for title in titles[0])
    assert any(title.startswith(bind) for title in titles[1])

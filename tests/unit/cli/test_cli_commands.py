"""The other commands."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest

from jaxref import __version__

Write = Callable[[str, str | bytes], Path]


def test_version(run) -> None:
    assert run("--version").out == f"jaxref {__version__}\n"
    assert run("version").out == f"jaxref {__version__}\n"
    assert json.loads(run("version", "--output-format", "json").out)["jaxref"] == __version__


def test_no_command_is_help_and_an_unknown_one_a_mistake(run) -> None:
    assert run().code == 0
    assert "check" in run().out
    result = run("chek")
    assert result.code == 2
    assert result.err.count("\n") == 1


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (
            ["check", "--selct", "x"],
            "jaxref check: error: unknown option --selct; did you mean --select?",
        ),
        (["check", "--output-fromat=json"], "--output-fromat=json; did you mean --output-format?"),
        (
            ["check", "--zzz"],
            "jaxref check: error: unknown option --zzz; see `jaxref check --help`",
        ),
        (["config", "a", "b"], "jaxref config: error: unknown option b"),
        (["--verson"], "jaxref: error: unknown option --verson; did you mean --version?"),
        (["rule", "--al"], "jaxref rule: error: unknown option --al; did you mean --all?"),
    ],
)
def test_an_unknown_option_leads_to_the_right_one(run, arguments: list[str], told: str) -> None:
    result = run(*arguments)
    assert (result.code, result.out) == (2, "")
    assert told in result.err
    assert result.err.count("\n") == 1


def test_rules_are_listed(run) -> None:
    lines = run("rule").out.splitlines()
    assert lines[0] == "bad-rule        error    bad words"
    assert [line.split()[0] for line in lines[3:]] == [
        "internal-error",
        "odd-rule",
        "syntax-error",
        "unused-ignore",
        "worse-rule",
    ]


def test_a_rule_is_explained(run) -> None:
    for command in ("rule", "explain"):
        result = run(command, "bad-rule")
        assert result.code == 0
        assert result.out == (
            "# bad-rule\n\nAbout bad words.\n\n## Examples\n\n```python\none\n```\n"
        )
    whole = run("rule", "bad-rule", "--output-format", "markdown").out
    assert "more" in whole
    assert "<!--" not in whole
    assert json.loads(run("rule", "bad-rule", "--output-format", "json").out)["severity"] == "error"
    assert len(json.loads(run("rule", "--output-format", "json").out)) == 8
    assert run("rule", "--all").out.count("\nAbout ") == 4
    assert run("rule", "syntax-error").out.startswith("# syntax-error\n")
    assert run("rule", "--output-format", "markdown").out.startswith("| rule |")


def test_an_unknown_rule(run) -> None:
    result = run("rule", "bad-rul")
    assert (result.code, result.out) == (2, "")
    assert result.err == "jaxref: error: no rule is called `bad-rul`; did you mean `bad-rule`?\n"


def test_reveal(run, write: Write) -> None:
    write("a.py", "x\nstate_ref = grad_ref\nother_ref\n")
    assert run("reveal", "a.py").out.splitlines() == [
        "a.py:2:1: state_ref: Ref",
        "a.py:2:13: grad_ref: Ref",
        "a.py:3:1: other_ref: Ref",
    ]
    assert run("reveal", "a.py:2").out.count("\n") == 2
    assert run("reveal", "a.py:2:14").out == "a.py:2:13: grad_ref: Ref\n"
    [record] = json.loads(run("reveal", "a.py:3", "--output-format", "json").out)
    assert record["start"] == {"line": 3, "column": 1}
    nothing = run("reveal", "a.py:1")
    assert (nothing.code, nothing.out) == (0, "")


def test_reveal_in_a_page(run, write: Write) -> None:
    write("p.md", "state_ref\n\n  ```py\n  state_ref = 1\n  ```\n")
    assert run("reveal", "p.md:4:5").out == "p.md:4:3: state_ref: Ref\n"


def test_reveal_in_a_notebook_by_cell(run, write: Write) -> None:
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": "%cd ..\none_ref = 1"},
        {"cell_type": "markdown", "metadata": {}, "source": "about two_ref"},
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": ["x\n", "é = two_ref"]},
    ]
    write("n.ipynb", json.dumps({"cells": cells, "metadata": {}, "nbformat": 4}))
    assert run("reveal", "n.ipynb").out.splitlines() == [
        "n.ipynb:cell 1:2:1: one_ref: Ref",
        "n.ipynb:cell 3:2:5: two_ref: Ref",
    ]
    for place in (
        "n.ipynb:cell 3",
        "n.ipynb:cell 3:2",
        "n.ipynb:cell 3:2:6",
        "n.ipynb:cell 3:2:5:",
    ):
        assert run("reveal", place).out == "n.ipynb:cell 3:2:5: two_ref: Ref\n", place
    assert run("reveal", "n.ipynb:cell 3:1").out == ""
    assert run("reveal", "n.ipynb:cell 3:2:1").out == ""
    [record] = json.loads(run("reveal", "n.ipynb:cell 1", "--output-format", "json").out)
    assert (record["cell"], record["start"]) == (1, {"line": 2, "column": 1})
    for place, reason in (
        ("n.ipynb:cell 2", "it has no code cell 2"),
        ("n.ipynb:cell 9:1", "it has no code cell 9"),
        ("n.ipynb:cell 3:3", "its cell 3 has no line 3"),
    ):
        result = run("reveal", place)
        assert (result.code, result.err) == (2, f"jaxref: error: n.ipynb: {reason}\n")
    write("a.py", "x_ref\n")
    assert run("reveal", "a.py:cell 1").code == 2


@pytest.mark.parametrize("place", ["missing.py", "a.py:99", "a.py:0", "b.py"])
def test_reveal_of_what_is_not_there(run, write: Write, place: str) -> None:
    write("a.py", "x\n")
    write("b.py", b"\xff")
    result = run("reveal", place)
    assert (result.code, result.out) == (2, "")
    assert result.err.count("\n") == 1


def test_config(run, write: Write, tmp_path: Path) -> None:
    write("pyproject.toml", '[tool.jaxref]\nignore = ["bad-rule"]\njax-version = "0.12"\n')
    write("sub/a.py", "")
    shown = json.loads(run("config", "sub/a.py", "--output-format", "json").out)
    assert shown["source"] == str(tmp_path / "pyproject.toml")
    assert shown["settings"]["ignore"] == ["bad-rule"]
    assert 'jax-version = "0.12"' in run("config").out
    assert run("config", "missing").code == 2


def test_config_says_where_each_setting_comes_from(run, write: Write, tmp_path: Path) -> None:
    path = write("jaxref.toml", 'extend-exclude = ["gen"]\nhints = false\n')
    record = json.loads(run("config", "--output-format", "json").out)
    assert record["origins"] == {
        "select": "default",
        "ignore": "default",
        "severity": "default",
        "exclude": str(path),
        "jax-version": "default",
        "python": "default",
        "hints": str(path),
    }
    assert "ignore = []  # default\n" in run("config").out
    assert "hints = false\n" in run("config").out


def test_config_says_which_environment_was_found(
    run, write: Write, tmp_path: Path, monkeypatch
) -> None:
    monkeypatch.delenv("VIRTUAL_ENV", raising=False)
    monkeypatch.delenv("CONDA_PREFIX", raising=False)
    write(".venv/pyvenv.cfg", "home = /usr/bin\nversion = 3.13.0\n")
    library = ".venv/lib/python3.13/site-packages"
    write(f"{library}/jax-0.11.2.dist-info/METADATA", "Name: jax\nVersion: 0.11.2\n")
    write(f"{library}/jax/__init__.py", "")
    write("sub/a.py", "")
    for place in (".", "sub", "sub/a.py"):
        record = json.loads(run("config", place, "--output-format", "json").out)
        assert record["environment"] == str(tmp_path / ".venv")
        assert record["jax-version"] == "0.11.2"
    shown = run("config").out
    assert f"# python: as found ({tmp_path / '.venv'})\n" in shown
    assert "# jax-version: as installed (0.11.2)\n" in shown


def test_an_environment_that_is_not_there_is_told(run, write: Write, tmp_path: Path) -> None:
    write("a.py", "x\n")
    told = "setting python: no environment at"
    result = run("check", "--python", "nowhere")
    assert (result.code, result.err.count("\n")) == (2, 1)
    assert result.err.startswith(f"jaxref: {told} 'nowhere'")
    path = write("jaxref.toml", 'hints = true\npython = "gone"\n')
    for arguments in (["check"], ["config"], ["check", "--show-settings"]):
        result = run(*arguments)
        assert result.code == 2
        assert result.err.startswith(f"jaxref: {path}:2:1: {told}")
        assert result.err.count("\n") == 1


def test_check_shows_the_settings_it_would_use(run, write: Write) -> None:
    write("jaxref.toml", 'ignore = ["odd-rule"]\n')
    write("a.py", "bad\n")
    shown = run("check", "a.py", "--show-settings", "--ignore", "bad-rule", "--jax-version", "0.11")
    assert shown.code == 0
    assert 'ignore = ["odd-rule", "bad-rule"]  # command line\n' in shown.out
    assert 'jax-version = "0.11"  # command line\n' in shown.out
    assert "hints = true  # default\n" in shown.out
    assert run("check", "missing.py", "--show-settings").code == 2
    assert run("check", "--show-settings", "--ignore", "no-rule").code == 2


def test_config_with_a_mistake(run, write: Write) -> None:
    write("jaxref.toml", "hint = true\n")
    result = run("config")
    assert result.code == 2
    assert "jaxref.toml:1:1: unknown setting `hint`; did you mean `hints`?" in result.err


@pytest.mark.parametrize("address", ["nothing", "host:port", "host:99999", ":", "host:²"])
def test_server_addresses_are_checked(run, address: str) -> None:
    result = run("server", "--tcp", address)
    assert (result.code, result.out) == (2, "")
    assert "--tcp must be HOST:PORT" in result.err


def test_the_server_is_started_as_asked(run, monkeypatch) -> None:
    from jaxref.lsp import server

    calls = []
    monkeypatch.setattr(server, "serve", lambda **given: calls.append(given) or 0)
    assert run("server", "--stdio", "--clientProcessId=7").code == 0
    assert (
        run("server", "--tcp", "[::1]:0", "--log-level", "debug", "--log-file", "x.log").code == 0
    )
    assert calls == [
        {"tcp": None, "log_file": None, "log_level": "warning"},
        {"tcp": ("::1", 0), "log_file": "x.log", "log_level": "debug"},
    ]


def test_watch_checks_again_after_a_change(write: Write, tmp_path: Path) -> None:
    path = write("a.py", "x = 1\n")
    command = [sys.executable, "-u", "-m", "jaxref", "check", "--watch", "a.py"]
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "server")}
    with subprocess.Popen(
        command, cwd=tmp_path, env=environment, stdout=subprocess.PIPE, stderr=subprocess.PIPE
    ) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"nothing found in 1 file\n"
        time.sleep(0.1)
        path.write_text("x = (\n")
        assert process.stdout.readline().startswith(b"error[syntax-error]")
        process.send_signal(2)
        process.communicate(timeout=20)
        assert process.returncode == 130


def test_every_rule_has_a_page() -> None:
    from jaxref.cli.pages import in_short, page_of
    from jaxref.rules.registry import all_rules

    for rule in all_rules():
        page = page_of(rule.name)
        assert page is not None, rule.name
        assert page.startswith(f"# {rule.name}\n")
        assert in_short(page).count("```python") == 1, rule.name

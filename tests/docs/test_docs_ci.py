"""docs/ci.md, action.yml and .pre-commit-hooks.yaml: what they tell to run is run."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

REPOSITORY = Path(__file__).parents[2]
PAGE = (REPOSITORY / "docs" / "ci.md").read_text(encoding="utf-8")
ACTION = (REPOSITORY / "action.yml").read_text(encoding="utf-8")

MISTAKE = """\
import jax
import jax.numpy as jnp

scale_ref = jax.new_ref(jnp.float32(2.0))
value, f_vjp = jax.vjp(lambda r: r[...] ** 2, scale_ref)
grads = f_vjp(jnp.float32(1.0))
"""


@pytest.fixture
def project(tmp_path: Path) -> Path:
    """A project with one mistake, one more in a folder that is excluded, and a command `jaxref`."""
    project = tmp_path / "project"
    (project / "src").mkdir(parents=True)
    (project / "third_party").mkdir()
    (project / "src" / "train.py").write_text(MISTAKE)
    (project / "third_party" / "theirs.py").write_text(MISTAKE)
    (project / "jaxref.toml").write_text('extend-exclude = ["third_party"]\n')
    command = tmp_path / "runner" / "jaxref" / "bin" / "jaxref"
    command.parent.mkdir(parents=True)
    command.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m jaxref "$@"\n')
    command.chmod(0o755)
    return project


def run(script: str, project: Path, **environment: str) -> subprocess.CompletedProcess[str]:
    """Run a script for a shell in `project`, with `jaxref` on PATH."""
    runner = project.parent / "runner"
    return subprocess.run(
        ["sh", "-e", "-c", script],
        cwd=project,
        env={
            **os.environ,
            "PATH": f"{runner / 'jaxref' / 'bin'}{os.pathsep}{os.environ['PATH']}",
            "PYTHONPATH": str(REPOSITORY / "server"),
            "RUNNER_TEMP": str(runner),
            **environment,
        },
        capture_output=True,
        text=True,
        check=False,
    )


COMMANDS = [
    line.removeprefix("$ ")
    for fence in re.findall(r"^```console\n(.*?)^```$", PAGE, re.MULTILINE | re.DOTALL)
    for line in fence.splitlines()
]
COMMANDS += re.findall(r"^ +- (jaxref check .*)$", PAGE, re.MULTILINE)
COMMANDS += [one for one in re.findall(r"`(jaxref check [^`]*)`", PAGE) if "--" in one]


@pytest.mark.parametrize("command", COMMANDS)
def test_the_commands_of_the_page(command: str, project: Path) -> None:
    if "--baseline " in command:
        # As it is told: what is there is written down before.
        before = next(one for one in COMMANDS if "--write-baseline" in one)
        assert run(before, project).returncode == 0
        assert run(command, project).returncode == 0
        (project / "src" / "new.py").write_text(MISTAKE)
    done = run(command, project)
    quiet = "--exit-zero" in command or "--write-baseline" in command
    assert done.returncode == (0 if quiet else 1), done.stderr
    assert "error" not in done.stderr
    words = shlex.split(command)
    written = [word for word in words if word.endswith((".sarif", ".json", ".xml"))]
    if written:
        text = (project / written[0]).read_text(encoding="utf-8")
    else:
        text = done.stdout
    assert "theirs.py" not in text
    assert "train.py" in text or "new.py" in text
    form = words[words.index("--output-format") + 1] if "--output-format" in words else "full"
    judge(form, text)


def judge(form: str, text: str) -> None:
    """Whether `text` is what readers of the format take."""
    match form:
        case "json" | "gitlab":
            (record,) = json.loads(text)
            if form == "json":
                assert record["severity"] == "error"
            else:
                assert record["severity"] in ("info", "minor", "major", "critical", "blocker")
                assert record.keys() >= {"description", "check_name", "fingerprint", "location"}
                assert record["location"]["path"] == "src/train.py"
                assert record["location"]["positions"]["begin"]["line"] == 6
        case "json-lines":
            assert [json.loads(line)["rule"] for line in text.splitlines()]
        case "junit":
            assert ElementTree.fromstring(text).find(".//failure") is not None
        case "github":
            assert text.startswith("::error ")
        case "concise":
            assert re.fullmatch(r"src/train\.py:6:9: error\[unbound-ref-gradient\] .+\n", text)
        case "sarif":
            judge_sarif(json.loads(text))


def judge_sarif(log: Any) -> None:
    """The parts of the SARIF 2.1.0 schema that hold for what jaxref writes."""
    assert log["version"] == "2.1.0"
    (run,) = log["runs"]
    driver = run["tool"]["driver"]
    assert run["columnKind"] in ("utf16CodeUnits", "unicodeCodePoints")
    for result in run["results"]:
        assert result["level"] in ("none", "note", "warning", "error")
        assert driver["rules"][result["ruleIndex"]]["id"] == result["ruleId"]
        assert result["message"]["text"]
        for place in [*result["locations"], *result.get("relatedLocations", ())]:
            where = place["physicalLocation"]
            assert not re.match(r"[A-Za-z]:|\\", where["artifactLocation"]["uri"])
            region = where["region"]
            assert 1 <= region["startLine"] <= region["endLine"]
            assert min(region["startColumn"], region["endColumn"]) >= 1
        assert all(isinstance(one, str) for one in result["partialFingerprints"].values())
        for fix in result.get("fixes", ()):
            for change in fix["artifactChanges"]:
                assert change["replacements"]
                assert all("deletedRegion" in one for one in change["replacements"])


def test_the_hook_of_pre_commit(project: Path) -> None:
    hooks = (REPOSITORY / ".pre-commit-hooks.yaml").read_text(encoding="utf-8")
    (name,) = re.findall(r"^- id: (.+)$", hooks, re.MULTILINE)
    (entry,) = re.findall(r"^ +entry: (.+)$", hooks, re.MULTILINE)
    assert f"- id: {name}" in PAGE
    # pre-commit names all changed files, the excluded ones among them.
    files = "src/train.py third_party/theirs.py"
    done = run(f"{entry} {files}", project)
    assert done.returncode == 1
    assert "src/train.py" in done.stdout
    assert "theirs.py" not in done.stdout
    (arguments,) = re.findall(r"`args: \[(.*)\]`", PAGE)
    done = run(f"{entry} {arguments.replace(',', '')} {files}", project)
    assert done.returncode == 1
    assert (project / "src" / "train.py").read_text() != MISTAKE
    assert (project / "third_party" / "theirs.py").read_text() == MISTAKE
    assert run(f"{entry} {files}", project).returncode == 0


def steps() -> dict[str, str]:
    """The scripts of the action's named steps."""
    found = re.findall(
        r"^    - name: (.+)\n(?:      .*\n)*?      run: \|\n((?:        .*\n|\n)+)",
        ACTION,
        re.MULTILINE,
    )
    return {name: re.sub(r"^ {8}", "", script, flags=re.MULTILINE) for name, script in found}


def test_the_action_checks(project: Path) -> None:
    script = steps()["Check"]
    done = run(script, project, PATHS=". nowhere.py", ARGS="", SARIF="")
    assert done.returncode == 2
    assert "nowhere.py" in done.stderr
    done = run(script, project, PATHS="src third_party/*", ARGS="--isolated", SARIF="")
    assert done.returncode == 2, "patterns are not for the shell"
    done = run(script, project, PATHS="src", ARGS="--exit-zero", SARIF="")
    assert done.returncode == 0
    judge("github", done.stdout)
    done = run(script, project, PATHS=".", ARGS="", SARIF="out file.sarif")
    assert done.returncode == 1
    judge("sarif", (project / "out file.sarif").read_text())


def test_the_action_installs_what_was_asked_for(project: Path) -> None:
    python = project.parent / "python"
    python.write_text('#!/bin/sh\necho "$@"\nmkdir -p "$3/bin"\ncp "$0" "$3/bin/python"\n')
    python.chmod(0o755)
    environment = {"PYTHON": str(python), "ACTION": "the action", "RUNNER_TEMP": str(project)}
    script = steps()["Install jaxref"]
    for version, wanted in (("", "the action"), ("==0.1.0", "jaxref==0.1.0")):
        done = run(script, project, VERSION=version, **environment)
        assert done.returncode == 0, done.stderr
        assert done.stdout.splitlines()[-1] == f"-m pip install --quiet {wanted}"


def test_inputs_are_those_of_the_page() -> None:
    declared = ACTION.partition("inputs:\n")[2].partition("runs:\n")[0]
    names = re.findall(r"^  ([\w-]+):$", declared, re.MULTILINE)
    assert [re.findall(rf"^\| `{name}` \|", PAGE, re.MULTILINE) for name in names] == [
        [f"| `{name}` |"] for name in names
    ]
    assert all(f"inputs.{name}" in ACTION for name in names)

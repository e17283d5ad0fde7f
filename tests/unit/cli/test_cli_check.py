"""`jaxref check`: exit codes, streams, formats, and what bad input costs."""

from __future__ import annotations

import io
import json
import os
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree

import pytest

Write = Callable[[str, str | bytes], Path]


@pytest.mark.parametrize(
    ("content", "arguments", "code"),
    [
        ("x = 1\n", [], 0),
        ("bad\n", [], 1),
        ("odd\n", [], 1),
        ("dim\n", [], 0),
        ("bad\n", ["--exit-zero"], 0),
        ("bad\n", ["--ignore", "bad-rule"], 0),
        ("bad\n", ["--select", "odd-rule"], 0),
        ("bad; odd\n", ["--select", "odd-rule,bad-rule"], 1),
        ("bad\n", ["--severity", "bad-rule=hint"], 0),
        ("dim\n", ["--severity", "dim-rule=warning"], 1),
        ("odd\n", ["--fail-on", "error"], 0),
        ("bad\n", ["--fail-on", "error"], 1),
        ("odd\n", ["--fail-on", "info"], 1),
        ("odd\n", ["--severity", "odd-rule=info"], 0),
        ("odd\n", ["--severity", "odd-rule=info", "--fail-on", "info"], 1),
        ("dim\n", ["--fail-on", "info"], 0),
        ("bad\n", ["--fail-on", "never"], 0),
        ("bad\n", ["--fail-on", "never", "missing.py"], 2),
        ("bad\n", ["--fail-on", "hint"], 2),
        ("x = (\n", [], 1),
        ("x = (\n", ["--ignore", "syntax-error"], 0),
        ("x = (  # jaxref: ignore-file\n", [], 0),
        ("bad\n", ["--select", "no-such-rule"], 2),
        ("bad\n", ["--jax-version", "new"], 2),
        ("bad\n", ["--config", "missing.toml"], 2),
        ("bad\n", ["--output-format", "yaml"], 2),
        ("bad\n", ["--jobs", "0"], 2),
        ("bad\n", ["--no-such-option"], 2),
        ("bad\n", ["--unsafe-fixes"], 2),
        ("bad\n", ["missing.py"], 2),
        ("bad\n", ["--watch", "--fix"], 2),
        ("bad\n", ["--stdin-filename", "b.py"], 2),
        ("bad\n", ["--isolated", "--config", "a.py"], 2),
        ("bad\n", ["--isolated", "--config", "ignore=bad-rule"], 0),
        ("bad\n", ["--output-file", "no/such/folder/out"], 2),
    ],
)
def test_exit_codes(run, write: Write, content: str, arguments: list[str], code: int) -> None:
    write("a.py", content)
    result = run("check", "a.py", *arguments)
    assert result.code == code, result
    assert bool(result.err) == (code == 2)


def test_a_missing_path_costs_only_itself(run, write: Write) -> None:
    write("a.py", "bad\n")
    result = run("check", "missing.py", "a.py", "--output-format", "concise")
    assert result.code == 2
    assert result.out == "a.py:1:1: error[bad-rule] `bad` is bad, write something better\n"
    assert result.err == "jaxref: error: missing.py: no such file or folder\n"


def test_an_undecodable_file_costs_only_itself(run, write: Write) -> None:
    write("a.py", b"\xff")
    write("b.py", "bad\n")
    write("c.ipynb", "{")
    result = run("check", "--output-format", "concise")
    assert result.code == 2
    assert result.out.startswith("b.py:1:1:")
    assert [line.split(": ")[2] for line in result.err.splitlines()] == ["a.py", "c.ipynb"]


def test_a_crash_in_one_file_costs_only_that_file(run, write: Write) -> None:
    write("a.py", "explode\n")
    write("b.py", "bad\n")
    result = run("check", "--output-format", "concise")
    assert result.code == 2
    failed, found = result.out.splitlines()
    told = "internal error, this file was not checked: RuntimeError('the analysis exploded')"
    assert failed == f"a.py:1:1: error[internal-error] {told}"
    assert found.startswith("b.py:1:1:")
    assert f"jaxref: error: a.py: {told}" in result.err
    assert "Traceback" in run("check", "--verbose").err
    assert run("check", "--exit-zero", "--ignore", "bad-rule").code == 2
    assert " --> a.py:1:1\n" in run("check").out


def test_a_failure_inside_is_told_and_the_findings_stand(run, write: Write) -> None:
    write("a.py", "halfway; bad\n")
    result = run("check", "--output-format", "concise")
    assert result.code == 2
    assert [line.split(": ")[0] for line in result.out.splitlines()] == ["a.py:1:1", "a.py:1:10"]
    assert "error[internal-error] a rule fell over" in result.out
    assert "a.py: internal error: a rule fell over" in result.err
    assert run("check").out.endswith("\nfound 2 errors in 1 file (1 can be fixed by --fix)\n")


def test_full_output(run, write: Write) -> None:
    write("a.py", "related = 1\n\n\n\nif x:\n\tüñ = '漢字' + bad  # why\ny = 2\n")
    result = run("check", "a.py")
    assert result.out == (
        "error[bad-rule]: `bad` is bad, write something better\n"
        " --> a.py:6:14\n"
        "  |\n"
        "1 | related = 1\n"
        "  | ------- this place matters\n"
        "...\n"
        "5 | if x:\n"
        "6 |     üñ = '漢字' + bad  # why\n"
        "  |                   ^^^\n"
        "7 | y = 2\n"
        "  |\n"
        "help: Write `good`\n"
        "  |\n"
        "5 |   if x:\n"
        "6 | -     üñ = '漢字' + bad  # why\n"
        "6 | +     üñ = '漢字' + good  # why\n"
        "7 |   y = 2\n"
        "  |\n"
        "\n"
        "found 1 error in 1 file (1 can be fixed by --fix)\n"
    )


def test_full_output_of_other_files_and_wide_lines(run, write: Write, monkeypatch) -> None:
    monkeypatch.setenv("COLUMNS", "60")
    write("a.py", "elsewhere = " + "x + " * 60 + "bad\n")
    result = run("check", "a.py")
    assert "::: other.py:2:1" in result.out
    assert "2 | two = three\n  | --- made here\n" in result.out
    lines = result.out.splitlines()
    carets = next(number for number, line in enumerate(lines) if "^^^" in line)
    at = lines[carets].index("^^^")
    assert lines[carets - 1][at : at + 3] == "bad"
    assert all(len(line) <= 60 for line in lines[1 : carets + 1])


def test_terminal_control_characters_are_shown_not_sent(run, write: Write) -> None:
    write("a.py", "bad  # \x1b[31m \u202e\n")
    result = run("check", "a.py")
    assert "\x1b" not in result.out
    assert "\u202e" not in result.out
    assert "␛[31m" in result.out


@pytest.mark.parametrize(
    ("arguments", "environment", "coloured"),
    [
        ([], {}, False),
        (["--color", "always"], {}, True),
        (["--color", "always"], {"NO_COLOR": "1"}, True),
        ([], {"FORCE_COLOR": "1"}, True),
        ([], {"CLICOLOR_FORCE": "1"}, True),
        ([], {"FORCE_COLOR": "1", "NO_COLOR": "1"}, False),
        (["--color", "never"], {"FORCE_COLOR": "1"}, False),
    ],
)
def test_colour(run, write: Write, monkeypatch, arguments, environment, coloured) -> None:
    write("a.py", "bad\n")
    for name, value in environment.items():
        monkeypatch.setenv(name, value)
    assert ("\x1b[" in run("check", "a.py", *arguments).out) == coloured


def test_json_is_what_the_design_says(run, write: Write) -> None:
    write("a.py", "elsewhere\nrelated = 1\né = bad\n")
    [record] = json.loads(run("check", "a.py", "--output-format", "json").out)
    assert len(record.pop("fingerprint")) == 32
    assert record == {
        "version": 1,
        "suppressed": False,
        "path": "a.py",
        "rule": "bad-rule",
        "severity": "error",
        "message": "`bad` is bad, write something better",
        "start": {"line": 3, "column": 5},
        "end": {"line": 3, "column": 8},
        "cell": None,
        "url": "https://jaxref.readthedocs.io/rules/bad-rule",
        "related": [
            {
                "path": "a.py",
                "start": {"line": 2, "column": 1},
                "end": {"line": 2, "column": 8},
                "message": "this place matters",
            },
            {
                "path": "other.py",
                "start": {"line": 2, "column": 1},
                "end": {"line": 2, "column": 4},
                "message": "made here",
            },
        ],
        "fixes": [
            {
                "title": "Write `good`",
                "applicability": "safe",
                "edits": [
                    {
                        "path": "a.py",
                        "start": {"line": 3, "column": 5},
                        "end": {"line": 3, "column": 8},
                        "text": "good",
                    }
                ],
            }
        ],
    }


@pytest.mark.parametrize("output_format", ["json", "gitlab"])
def test_nothing_found_is_an_empty_array(run, write: Write, output_format: str) -> None:
    write("a.py", "x\n")
    assert json.loads(run("check", "--output-format", output_format).out) == []


def test_json_lines(run, write: Write) -> None:
    write("a.py", "bad\nodd\n")
    lines = run("check", "--output-format", "json-lines").out.splitlines()
    assert [json.loads(line)["rule"] for line in lines] == ["bad-rule", "odd-rule"]


def notebook(*cells: list[str]) -> str:
    made = [{"cell_type": "code", "metadata": {}, "outputs": [], "source": cell} for cell in cells]
    return json.dumps({"cells": made, "metadata": {}, "nbformat": 4}, indent=1)


def test_a_notebook(run, write: Write) -> None:
    content = notebook(["%cd ..\n", "x = 1"], ["y = 2\n", "bad"])
    write("n.ipynb", content)
    assert run("check", "--output-format", "concise").out.startswith("n.ipynb:cell 2:2:1: ")
    [record] = json.loads(run("check", "--output-format", "json").out)
    assert (record["cell"], record["start"]) == (2, {"line": 2, "column": 1})
    line = next(n for n, text in enumerate(content.splitlines(), 1) if '"bad"' in text)
    github = run("check", "--output-format", "github").out
    assert f"file=n.ipynb,line={line}," in github
    assert "n.ipynb:cell 2:2:1" in github
    full = run("check").out
    assert "--> n.ipynb:cell 2:2:1" in full
    assert "1 | y = 2\n2 | bad\n" in full


def test_a_page(run, write: Write) -> None:
    write("p.md", "# bad words\n\n* in a list\n\n  ```python\n  x = bad\n  ```\n")
    assert run("check", "--output-format", "concise").out.startswith("p.md:6:7: ")


def test_code_that_is_meant_to_fail_gives_hints(run, write: Write) -> None:
    write("p.md", "```{code-cell}\n:tags: [raises-exception]\n\nbad\n```\n\n```py\nodd\n```\n")
    cells = json.loads(notebook(["bad"], ["odd"]))
    cells["cells"][0]["metadata"]["tags"] = ["raises-exception"]
    write("n.ipynb", json.dumps(cells))
    lines = run("check", "--output-format", "concise").out.splitlines()
    assert [line.split("[")[0] for line in lines] == [
        "n.ipynb:cell 1:1:1: hint",
        "n.ipynb:cell 2:1:1: warning",
        "p.md:4:1: hint",
        "p.md:8:1: warning",
    ]
    assert "meant to fail: `bad` is bad" in lines[0]
    assert run("check", "--diff").out == ""


def test_github(run, write: Write) -> None:
    write("a,b.py", "x = bad\ndim\n")
    assert run("check", "--output-format", "github").out == (
        "::error file=a%2Cb.py,line=1,col=5,endLine=1,endColumn=8,title=jaxref (bad-rule)"
        "::a,b.py:1:5: `bad` is bad, write something better\n"
        "::notice file=a%2Cb.py,line=2,col=1,endLine=2,endColumn=4,title=jaxref (dim-rule)"
        "::a,b.py:2:1: `dim` is dim, write something better\n"
    )


def test_fingerprints_stay_when_code_moves(run, write: Write) -> None:
    def fingerprints() -> list[str]:
        records = json.loads(run("check", "a.py", "--output-format", "gitlab").out)
        return [record["fingerprint"] for record in records]

    write("a.py", "bad\nx\nbad\n")
    before = fingerprints()
    assert len(set(before)) == 2
    write("a.py", "import jax\n\nbad\n\n\n\nbad\n")
    assert fingerprints() == before


def test_sarif(run, write: Write) -> None:
    write("a b.py", "related = 1\né = bad\nodd\n")
    log = json.loads(run("check", "--output-format", "sarif").out)
    [one] = log["runs"]
    assert one["columnKind"] == "unicodeCodePoints"
    assert [rule["id"] for rule in one["tool"]["driver"]["rules"]] == ["bad-rule", "odd-rule"]
    first, second = one["results"]
    assert (first["level"], second["level"]) == ("error", "warning")
    place = first["locations"][0]["physicalLocation"]
    assert place["artifactLocation"]["uri"] == "a%20b.py"
    assert place["region"] == {"startLine": 2, "startColumn": 5, "endLine": 2, "endColumn": 8}
    assert first["relatedLocations"][0]["message"]["text"] == "this place matters"
    [change] = first["fixes"][0]["artifactChanges"]
    assert change["replacements"][0]["insertedContent"]["text"] == "good"


def test_junit(run, write: Write) -> None:
    write("a.py", "bad\ndim\n")
    write("b.py", "x = '<&\x01'\n")
    suites = ElementTree.fromstring(run("check", "--output-format", "junit").out)
    assert suites.attrib["tests"] == "3"
    assert suites.attrib["failures"] == "1"
    assert [suite.attrib["name"] for suite in suites] == ["a.py", "b.py"]


def test_statistics(run, write: Write) -> None:
    write("a.py", "odd\nbad\nbad\nworse\n")
    assert run("check", "--statistics", "--quiet").out == (
        "     2  error    bad-rule  (2 with a safe fix)\n"
        "     1  warning  odd-rule\n"
        "     1  error    worse-rule\n"
    )
    records = json.loads(run("check", "--statistics", "--output-format", "json").out)
    assert records[0] == {"rule": "bad-rule", "severity": "error", "count": 2, "fixable": 2}


def test_output_file(run, write: Write, tmp_path: Path) -> None:
    write("a.py", "bad\n")
    result = run("check", "--output-format", "json", "--output-file", "out.json")
    assert (result.code, result.out) == (1, "")
    assert json.loads((tmp_path / "out.json").read_text())[0]["rule"] == "bad-rule"


def test_the_format_may_come_from_the_environment(run, write: Write, monkeypatch) -> None:
    write("a.py", "bad\n")
    monkeypatch.setenv("JAXREF_OUTPUT_FORMAT", "concise")
    assert run("check").out.count("\n") == 1
    monkeypatch.setenv("JAXREF_OUTPUT_FORMAT", "prose")
    assert run("check").code == 2


def test_verbose_says_what_was_given_up(run, write: Write) -> None:
    write("a.py", "partly\n")
    assert "a.py: analysed in part: too much of it" in run("check", "--verbose").err
    assert run("check").err == ""


def test_settings_files_hold_and_their_mistakes_are_told_once(run, write: Write) -> None:
    write("pyproject.toml", '[tool.jaxref]\nignore = ["bad-rule"]\nselct = []\n')
    write("a.py", "bad\n")
    write("b.py", "odd\n")
    result = run("check", "--output-format", "concise")
    assert result.code == 2
    assert result.out.startswith("b.py:1:1: warning[odd-rule]")
    assert result.err.count("unknown setting `selct`; did you mean `select`?") == 1
    assert run("check", "--isolated", "--output-format", "concise").out.startswith("a.py:1:1:")


def test_hints_can_be_switched_off(run, write: Write) -> None:
    write("jaxref.toml", "hints = false")
    write("a.py", "dim\n")
    assert run("check", "--output-format", "concise").out == ""


def stdin(monkeypatch: pytest.MonkeyPatch, data: bytes) -> None:
    monkeypatch.setattr(sys, "stdin", io.TextIOWrapper(io.BytesIO(data), encoding="ascii"))


def test_standard_input(run, monkeypatch) -> None:
    stdin(monkeypatch, "é = bad\n".encode())
    result = run("check", "-", "--output-format", "concise")
    assert result.code == 1
    assert result.out.startswith("<stdin>:1:5: error[bad-rule]")


def test_standard_input_under_a_name(run, write: Write, monkeypatch) -> None:
    write("jaxref.toml", 'per-file-ignores = { "docs/*" = ["bad-rule"] }')
    page = b"```python\nbad; odd\n```\n"
    stdin(monkeypatch, page)
    result = run("check", "-", "--stdin-filename", "docs/p.md", "--output-format", "concise")
    assert [line.split("[")[0] for line in result.out.splitlines()] == ["docs/p.md:2:6: warning"]


def test_standard_input_alone(run, write: Write) -> None:
    write("a.py", "x\n")
    assert run("check", "-", "a.py").code == 2


def test_standard_input_is_not_read_unasked(run, write: Write, monkeypatch) -> None:
    monkeypatch.setattr(sys, "stdin", None)
    write("a.py", "x\n")
    assert run("check").code == 0


def test_a_closed_pipe_ends_quietly(write: Write, tmp_path: Path) -> None:
    import subprocess

    write("a.py", "x = (\n" * 3000)
    command = f'"{sys.executable}" -m jaxref check --output-format concise a.py a.py | head -c 1'
    done = subprocess.run(
        ["sh", "-c", command], cwd=tmp_path, capture_output=True, env=environment(), check=False
    )
    assert done.stderr == b""


def test_ctrl_c_ends_with_130(run, write: Write, monkeypatch) -> None:
    write("a.py", "x\n")

    def interrupt(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("jaxref.cli.checking.engine.analyse", interrupt)
    result = run("check")
    assert (result.code, result.out, result.err) == (130, "", "")


def environment() -> dict[str, str]:
    return {**os.environ, "PYTHONPATH": str(Path(__file__).parents[3] / "server")}


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="no /dev/full here")
def test_a_full_disk_is_told_in_one_line(write: Write, tmp_path: Path) -> None:
    import subprocess

    write("a.py", "x = (\n")
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [sys.executable, "-m", "jaxref", "check", "a.py"],
            cwd=tmp_path,
            stdout=full,
            stderr=subprocess.PIPE,
            env=environment(),
            check=False,
        )
    assert done.returncode == 2
    assert done.stderr == b"jaxref: error: no space left on device\n"


@pytest.mark.skipif(os.geteuid() == 0, reason="root may read everything")
def test_an_unreadable_folder_costs_only_itself(run, write: Write, tmp_path: Path) -> None:
    write("sub/a.py", "bad\n")
    write("b.py", "bad\n")
    (tmp_path / "sub").chmod(0)
    result = run("check", "--output-format", "concise")
    (tmp_path / "sub").chmod(0o755)
    assert (result.code, result.out.count("\n")) == (2, 1)
    assert "sub: permission denied" in result.err

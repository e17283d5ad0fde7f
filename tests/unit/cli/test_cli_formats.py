"""The formats of services, held against what these ask for, with findings of every kind in them.

The requirements are those of the SARIF 2.1.0 schema and of GitHub's code scanning, of GitLab's code
quality report, of the JUnit schema that Jenkins and GitLab read, and of GitHub's workflow commands.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from jaxref.diagnostics import report
from jaxref.diagnostics.records import as_github, as_gitlab, fingerprints
from jaxref.diagnostics.report import Finding
from jaxref.source.documents import document_of

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[3]
RETURNED = (
    "import jax\n\n\n@jax.jit\ndef f(x):\n    ref = jax.new_ref(x)\n    return ref\n\n\nf(1.0)\n"
)


@pytest.fixture(scope="module")
def project(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Files with errors, warnings and hints, of all kinds and with odd names, and one that is no text."""
    folder = tmp_path_factory.mktemp("project")
    (folder / "a b,c%é.py").write_text(RETURNED)
    (folder / "broken.py").write_text("x = (\n")
    (folder / "clean.py").write_text("x = 1\n")
    (folder / "hint.py").write_text("x = 1  # jaxref: ignore[ref-returned]\n")
    (folder / "fixable.py").write_text((ROOT / "examples" / "running_mean.py").read_text())
    (folder / "page.md").write_text(f"# Page\n\n```python\n{RETURNED}```\n")
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": source}
        for source in ("import jax", RETURNED)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
    (folder / "book.ipynb").write_text(json.dumps(notebook, indent=1))
    (folder / "unreadable.py").write_bytes(b"\xff\xfe\x00")
    return folder


def said(folder: Path, output_format: str, *arguments: str) -> str:
    command = [sys.executable, "-m", "jaxref", "check", "--output-format", output_format]
    done = subprocess.run(
        [*command, "--no-cache", "--isolated", "--jax-version", "0.12", *arguments],
        cwd=folder,
        capture_output=True,
        text=True,
        timeout=120,
    )
    assert done.returncode == 2, done.stderr
    assert done.stderr.startswith("jaxref: error: unreadable.py: is not valid UTF-8")
    return done.stdout


def obj(required: str = "", optional: dict[str, Any] | None = None, **properties: Any) -> Any:
    """A schema of an object with these properties and no others; those in `required` must be there."""
    return {
        "type": "object",
        "properties": {**properties, **(optional or {})},
        "required": required.split(),
        "additionalProperties": False,
    }


def many(schema: Any, least: int = 0) -> Any:
    return {"type": "array", "items": schema, "minItems": least}


NUMBER = {"type": "integer", "minimum": 1}
TEXT = {"type": "string", "minLength": 1}
TEXT_OBJECT = obj("text", text=TEXT, markdown=TEXT)
# A relative reference or an absolute one, with nothing in it that a URI may not hold.
URI = {"type": "string", "pattern": r"^([\w\-./~!$&'()*+;=@:]|%[0-9A-F]{2})+$"}
LEVEL = {"enum": ["none", "note", "warning", "error"]}
REGION = obj(
    "startLine startColumn", startLine=NUMBER, startColumn=NUMBER, endLine=NUMBER, endColumn=NUMBER
)
ARTIFACT = obj("uri", uri=URI)
PHYSICAL = obj("artifactLocation", artifactLocation=ARTIFACT, region=REGION)
LOCATION = obj("physicalLocation", physicalLocation=PHYSICAL, message=TEXT_OBJECT, id=NUMBER)
STEP = obj("location", location=LOCATION, importance={"enum": ["important", "essential"]})
REPLACEMENT = obj(
    "deletedRegion insertedContent",
    deletedRegion=REGION,
    insertedContent=obj("text", text={"type": "string"}),
)
CHANGE = obj(
    "artifactLocation replacements", artifactLocation=ARTIFACT, replacements=many(REPLACEMENT, 1)
)
RESULT = obj(
    "ruleId ruleIndex level message locations partialFingerprints",
    ruleId=TEXT,
    ruleIndex={"type": "integer", "minimum": 0},
    level=LEVEL,
    message=TEXT_OBJECT,
    locations={**many(LOCATION, 1), "maxItems": 1},
    relatedLocations=many(LOCATION, 1),
    codeFlows=many(
        obj("threadFlows", threadFlows=many(obj("locations", locations=many(STEP, 1)), 1))
    ),
    fixes=many(obj("artifactChanges", description=TEXT_OBJECT, artifactChanges=many(CHANGE, 1)), 1),
    suppressions=many(obj("kind", kind={"enum": ["inSource", "external"]})),
    partialFingerprints={"type": "object", "additionalProperties": TEXT, "minProperties": 1},
)
RULE = obj(
    # Without the last three, code scanning shows an alert without words.
    "id shortDescription fullDescription help",
    id=TEXT,
    shortDescription=TEXT_OBJECT,
    fullDescription=TEXT_OBJECT,
    help=TEXT_OBJECT,
    helpUri={"type": "string", "pattern": "^https://"},
    defaultConfiguration=obj("level", level=LEVEL),
)
NOTIFICATION = obj("message", message=TEXT_OBJECT, level=LEVEL, locations=many(LOCATION))
RUN = obj(
    "tool columnKind results invocations",
    tool=obj(
        "driver",
        driver=obj(
            "name rules",
            name={"const": "jaxref"},
            version=TEXT,
            semanticVersion={"type": "string", "pattern": r"^\d+\.\d+\.\d+"},
            informationUri={"type": "string", "pattern": "^https://"},
            rules=many(RULE),
        ),
    ),
    columnKind={"const": "unicodeCodePoints"},
    results=many(RESULT),
    invocations=many(
        obj(
            "executionSuccessful",
            executionSuccessful={"type": "boolean"},
            toolExecutionNotifications=many(NOTIFICATION),
        ),
        1,
    ),
)
SARIF = obj(
    "version runs",
    optional={"$schema": {"type": "string", "pattern": "sarif-2.1.0.json$"}},
    version={"const": "2.1.0"},
    runs=many(RUN, 1),
)


def test_sarif(project: Path) -> None:
    log = json.loads(said(project, "sarif"))
    jsonschema.Draft202012Validator(SARIF).validate(log)
    (run,) = log["runs"]
    rules = run["tool"]["driver"]["rules"]
    assert len({rule["id"] for rule in rules}) == len(rules)
    results = run["results"]
    assert {rules[result["ruleIndex"]]["id"] for result in results} == {
        rule["id"] for rule in rules
    }
    assert all(rules[result["ruleIndex"]]["id"] == result["ruleId"] for result in results)
    assert {"codeFlows", "fixes", "relatedLocations"} <= {
        key for result in results for key in result
    }
    prints = [result["partialFingerprints"]["jaxref/v1"] for result in results]
    assert len(set(prints)) == len(prints)
    assert {result["level"] for result in results} >= {"error", "note"}
    (invocation,) = run["invocations"]
    (notification,) = invocation["toolExecutionNotifications"]
    assert notification["message"]["text"].startswith("unreadable.py: is not valid UTF-8")
    suppressed = json.loads(said(project, "sarif", "--ignore-suppressions"))
    jsonschema.Draft202012Validator(SARIF).validate(suppressed)


GITLAB = many(
    obj(
        "description check_name fingerprint severity location",
        description=TEXT,
        check_name=TEXT,
        fingerprint={"type": "string", "pattern": "^[0-9a-f]{32,}$"},
        severity={"enum": ["info", "minor", "major", "critical", "blocker"]},
        location=obj(
            "path positions",
            path={"type": "string", "pattern": r"^(?!\./|/)"},
            positions=obj(
                "begin",
                begin=obj("line", line=NUMBER, column=NUMBER),
                end=obj("line", line=NUMBER, column=NUMBER),
            ),
        ),
    )
)


def test_gitlab(project: Path) -> None:
    records = json.loads(said(project, "gitlab"))
    jsonschema.Draft202012Validator(GITLAB).validate(records)
    prints = [record["fingerprint"] for record in records]
    assert len(set(prints)) == len(prints) > 4
    for record in records:
        assert (project / record["location"]["path"]).is_file()


def test_junit(project: Path) -> None:
    """The elements and attributes of the schema that Jenkins reads, and counts that add up."""
    attributes = {
        "testsuites": ({"tests", "failures"}, {"name", "errors", "time", "disabled"}),
        "testsuite": (
            {"name", "tests", "failures"},
            {"errors", "skipped", "time", "timestamp", "hostname", "id", "package", "file"},
        ),
        "testcase": ({"name", "classname"}, {"time", "file", "line", "assertions", "status"}),
        "failure": ({"message", "type"}, set()),
        "system-out": (set(), set()),
    }
    inside = {
        "testsuites": {"testsuite"},
        "testsuite": {"testcase"},
        "testcase": {"failure", "system-out"},
    }
    root = ElementTree.fromstring(said(project, "junit"))
    assert root.tag == "testsuites"
    for element in root.iter():
        needed, allowed = attributes[element.tag]
        assert needed <= set(element.attrib) <= needed | allowed, element.tag
        assert {child.tag for child in element} <= inside.get(element.tag, set())
    for suite in [root, *root.iter("testsuite")]:
        assert int(suite.attrib["tests"]) == len(list(suite.iter("testcase")))
        assert int(suite.attrib["failures"]) == len(list(suite.iter("failure")))
    assert {suite.attrib["name"] for suite in root} >= {"clean.py", "broken.py", "book.ipynb"}


COMMAND = re.compile(r"::(error|warning|notice) ((?:\w+=[^,:\r\n]*,?)+)::([^\r\n]+)")


def test_github(project: Path) -> None:
    lines = said(project, "github").splitlines()
    assert len(lines) > 4
    for line in lines:
        command = COMMAND.fullmatch(line)
        assert command is not None, line
        values = dict(part.split("=", 1) for part in command[2].split(","))
        assert set(values) <= {"file", "line", "endLine", "col", "endColumn", "title"}
        path = re.sub("%(..)", lambda code: chr(int(code[1], 16)), values["file"])
        text = (project / path).read_text().splitlines()
        assert int(values["line"]) <= len(text)
        if "endColumn" in values:
            assert values["line"] == values["endLine"], "else GitHub takes no columns"
    (book,) = (line for line in lines if "file=book.ipynb" in line)
    number = int(re.search(r"line=(\d+)", book)[1])  # type: ignore[index]
    assert "return ref" in (project / "book.ipynb").read_text().splitlines()[number - 1]
    assert "book.ipynb:cell 2:" in book


def test_concise_is_one_line_a_finding(project: Path) -> None:
    for line in said(project, "concise").splitlines():
        assert re.fullmatch(
            r"[^:]+(:cell \d+)?:\d+:\d+: (error|warning|info|hint)\[[a-z-]+\] .+", line
        )


def prints_of(folder: Path) -> dict[str, list[str]]:
    """The fingerprints of all findings by format, each in order."""
    as_json = json.loads(said(folder, "json"))
    lines = [json.loads(line) for line in said(folder, "json-lines").splitlines()]
    sarif = json.loads(said(folder, "sarif"))["runs"][0]["results"]
    return {
        "json": [one["fingerprint"] for one in as_json],
        "json-lines": [one["fingerprint"] for one in lines],
        "gitlab": [one["fingerprint"] for one in json.loads(said(folder, "gitlab"))],
        "sarif": [one["partialFingerprints"]["jaxref/v1"] for one in sarif],
    }


def test_fingerprints_stay_when_code_moves(project: Path, tmp_path: Path) -> None:
    before = prints_of(project)
    assert before["json"] == before["json-lines"] == before["gitlab"] == before["sarif"]
    for path in project.iterdir():
        data = path.read_bytes()
        if path.suffix == ".py" and b"\xff" not in data:
            data = b"# more\n\n\n" + data.replace(b"\n", b"\r\n")
        elif path.suffix == ".md":
            data = data.replace(b"# Page", b"# Page\n\nMore of it.\n\n> words")
        elif path.suffix == ".ipynb":
            book = json.loads(data)
            book["cells"].insert(0, {"cell_type": "markdown", "metadata": {}, "source": "About"})
            book["cells"][-1]["source"] = "# more\n\n" + book["cells"][-1]["source"]
            data = json.dumps(book).encode()
        (tmp_path / path.name).write_bytes(data)
    assert prints_of(tmp_path) == before


def test_paths_of_windows_are_written_with_slashes(monkeypatch: pytest.MonkeyPatch) -> None:
    """For services, and so that a baseline made there holds elsewhere; people read what they typed."""

    def finding(path: str) -> Finding:
        found = report.failure_of(path, "it is wrong")
        return Finding(
            where=found.where,
            rule="a-rule",
            severity="error",
            message="it is wrong",
            document=document_of("x"),
            span=found.span,
            file_line=1,
            file_column=1,
        )

    here, there = finding("src/a.py"), finding("src\\a.py")
    assert fingerprints([here]) != fingerprints([there]), "it is a character of a name elsewhere"
    monkeypatch.setattr(os, "sep", "\\")
    assert fingerprints([here]) == fingerprints([there])
    assert json.loads(as_gitlab([there]))[0]["location"]["path"] == "src/a.py"
    assert "file=src/a.py," in as_github([there])
    assert str(there.where) == "src\\a.py:1:1"
    assert "file=C%3A/src/a.py," in as_github([finding("C:\\src\\a.py")])

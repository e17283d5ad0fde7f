"""The published schemas, against what is really printed and what settings are really understood."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import Any

import pytest

from jaxref.cli.main import main
from jaxref.diagnostics.model import SEVERITIES
from jaxref.settings import KEYS, load_settings

jsonschema = pytest.importorskip("jsonschema")

ROOT = Path(__file__).parents[3]


def schema(name: str) -> dict[str, Any]:
    loaded: dict[str, Any] = json.loads((ROOT / "docs" / "schema" / name).read_text("utf-8"))
    jsonschema.Draft202012Validator.check_schema(loaded)
    return loaded


def validator(loaded: dict[str, Any]) -> Any:
    return jsonschema.Draft202012Validator(loaded)


@pytest.fixture(scope="module")
def findings_schema() -> dict[str, Any]:
    return schema("findings.json")


def printed(capfd: pytest.CaptureFixture[str], *arguments: str) -> str:
    capfd.readouterr()
    assert main(["check", "--jax-version", "0.12", *arguments]) in (0, 1)
    sys.stdout.flush()
    return capfd.readouterr()[0]


def test_the_examples(findings_schema: dict[str, Any], capfd, monkeypatch) -> None:
    monkeypatch.chdir(ROOT)
    found = json.loads(printed(capfd, "examples", "--output-format", "json"))
    assert {"related", "fixes"} <= {key for finding in found for key in finding if finding[key]}
    validator(findings_schema).validate(found)


def test_a_notebook_line_by_line(findings_schema, capfd, monkeypatch, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    source = "import jax\n\n@jax.jit\ndef f(x):\n    ref = jax.new_ref(x)\n    return ref\n\nf(1.0)"
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "source": code}
        for code in ("import jax", source)
    ]
    notebook = {"cells": cells, "metadata": {}, "nbformat": 4}
    Path("n.ipynb").write_text(json.dumps(notebook), "utf-8")
    Path("b.py").write_text("x = (\n# jaxref: ignore[nothing]\n", "utf-8")
    lines = printed(capfd, "--output-format", "json-lines").splitlines()
    records = [json.loads(line) for line in lines]
    assert {record["cell"] for record in records} == {None, 2}
    one = {**findings_schema, "$ref": "#/$defs/finding"}
    del one["type"], one["items"]
    for record in records:
        validator(one).validate(record)
        for key in record:
            without = {name: value for name, value in record.items() if name != key}
            assert not validator(one).is_valid(without), key
        assert not validator(one).is_valid({**record, "more": 1})


def test_the_settings_are_those_that_are_known() -> None:
    properties = schema("settings.json")["properties"]
    assert sorted(properties) == sorted(KEYS)
    levels = properties["severity"]["additionalProperties"]["enum"]
    assert levels == [*SEVERITIES, "off"]


@pytest.mark.parametrize(
    ("table", "valid"),
    [
        ({}, True),
        ({"select": ["all"], "ignore": ["ref-of-ref"]}, True),
        ({"extend-select": ["ref-of-ref"], "extend-ignore": []}, True),
        ({"severity": {"ref-of-ref": "off", "ref-returned": "hint"}}, True),
        ({"per-file-ignores": {"tests/*": ["ref-of-ref"]}}, True),
        ({"exclude": ["build", "!src"], "extend-exclude": []}, True),
        ({"jax-version": "0.12.0.1", "python": ".venv", "hints": False}, True),
        ({"jax-version": "auto"}, True),
        ({"jax-version": ""}, True),
        ({"overrides": []}, True),
        ({"overrides": [{"files": ["t/*"], "severity": {"ref-of-ref": "off"}}]}, True),
        ({"overrides": [{"files": [], "jax-version": "0.9", "hints": False}]}, True),
        ({"overrides": [{"files": ["t/*"], "select": ["all"], "python": ".venv"}]}, True),
        ({"overrides": {"files": ["t/*"]}}, False),
        ({"overrides": [{"ignore": []}]}, False),
        ({"overrides": [{"files": "t/*"}]}, False),
        ({"overrides": [{"files": ["t/*"], "exclude": []}]}, False),
        ({"overrides": [{"files": ["t/*"], "hints": 1}]}, False),
        ({"selct": []}, False),
        ({"select": "all"}, False),
        ({"select": [1]}, False),
        ({"severity": "error"}, False),
        ({"severity": {"ref-of-ref": "loud"}}, False),
        ({"severity": {"ref-of-ref": 1}}, False),
        ({"per-file-ignores": ["tests"]}, False),
        ({"per-file-ignores": {"tests": "all"}}, False),
        ({"exclude": "build"}, False),
        ({"jax-version": 0.12}, False),
        ({"jax-version": "new"}, False),
        ({"python": 3}, False),
        ({"hints": "yes"}, False),
    ],
)
def test_settings_are_valid_when_they_are_understood(
    table: dict[str, object], valid: bool, tmp_path: Path
) -> None:
    _, problems = load_settings(str(tmp_path / "a.py"), table, isolated=True)
    assert (not problems) == valid
    assert validator(schema("settings.json")).is_valid(table) == valid

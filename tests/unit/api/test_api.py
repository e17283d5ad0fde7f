"""The Python interface, and its page."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

import jaxref

REPOSITORY = Path(__file__).parents[3]
MISTAKE = """\
import jax
import jax.numpy as jnp

scale_ref = jax.new_ref(jnp.float32(2.0))
value, f_vjp = jax.vjp(lambda r: r[...] ** 2, scale_ref)
grads = f_vjp(jnp.float32(1.0))
"""


def test_the_examples_of_the_page_run() -> None:
    page = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
    fences = re.findall(r"^```python\n(.*?)^```$", page, re.MULTILINE | re.DOTALL)
    assert len(fences) >= 5
    exec(compile("\n".join(fences), "docs/api.md", "exec"), {"__name__": "page"})


def test_the_page_names_everything_public() -> None:
    page = (REPOSITORY / "docs" / "api.md").read_text(encoding="utf-8")
    for name in set(jaxref.__all__) - {"__version__"}:
        assert f"`{name}`" in page or f"`jaxref.{name}(" in page, name
        assert getattr(jaxref, name).__doc__
        for field in getattr(getattr(jaxref, name), "__dataclass_fields__", ()):
            assert f"`{field}`" in page, (name, field)


def test_the_same_as_the_command_line(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text(MISTAKE)
    report = jaxref.check_paths(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "jaxref", "check", "--output-format", "json", str(tmp_path)],
        capture_output=True,
        text=True,
        env={**os.environ, "PYTHONPATH": str(REPOSITORY / "server")},
        check=False,
    )
    (record,), (found,) = json.loads(done.stdout), report.findings
    assert (found.path, found.rule, found.severity, found.message, found.url) == tuple(
        record[key] for key in ("path", "rule", "severity", "message", "url")
    )
    assert (found.start.line, found.start.column) == tuple(record["start"].values())
    assert (found.end.line, found.end.column) == tuple(record["end"].values())
    assert [one.message for one in found.related] == [one["message"] for one in record["related"]]
    assert [one.title for one in found.remedies] == [one["title"] for one in record["fixes"]]


def test_settings_files_hold_where_a_path_is_given(tmp_path: Path) -> None:
    (tmp_path / "jaxref.toml").write_text('ignore = ["unbound-ref-gradient"]\n')
    assert jaxref.check_source(MISTAKE, tmp_path / "a.py").ok
    wanted = {"extend-select": ["unbound-ref-gradient"]}
    assert not jaxref.check_source(MISTAKE, tmp_path / "a.py", wanted).ok
    (tmp_path / "a.py").write_text(MISTAKE)
    assert jaxref.check_paths([tmp_path]).ok
    assert not jaxref.check_paths([tmp_path], isolated=True).ok
    (tmp_path / "jaxref.toml").write_text('ignore = ["unbound"]\n')
    with pytest.raises(ValueError, match="unknown rule `unbound`"):
        jaxref.check_paths([tmp_path])
    with pytest.raises(ValueError, match="unknown rule `unbound`"):
        jaxref.check_source(MISTAKE, tmp_path / "a.py")


def test_a_notebook() -> None:
    lines = MISTAKE.splitlines(keepends=True)
    cells = [
        {"cell_type": "code", "metadata": {}, "outputs": [], "execution_count": None, "source": one}
        for one in (lines[:5], lines[5:])
    ]
    book = json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})
    (found,) = jaxref.check_source(book, "book.ipynb").findings
    assert (found.cell, found.start) == (2, jaxref.Place(1, 9))
    assert str(found).startswith("book.ipynb:cell 2:1:9: error[unbound-ref-gradient]")
    with pytest.raises(ValueError, match=r"^book\.ipynb: "):
        jaxref.check_source("{", "book.ipynb")


def test_other_files_are_seen_from_the_path(tmp_path: Path) -> None:
    (tmp_path / "helper.py").write_text("import jax\n\ndef make(x):\n    return jax.new_ref(x)\n")
    text = MISTAKE.replace("jax.new_ref(", "make(") + "\n"
    text = "from helper import make\n" + text
    assert not jaxref.check_source(text, tmp_path / "a.py").ok
    assert jaxref.check_source(text).ok


def test_problems_and_broken_syntax(tmp_path: Path) -> None:
    (tmp_path / "broken.py").write_text("def f(:\n")
    (tmp_path / "bytes.py").write_bytes(b"x = '\xff'\n")
    report = jaxref.check_paths(tmp_path)
    assert [found.rule for found in report.findings] == ["syntax-error"]
    (problem,) = report.problems
    assert "bytes.py" in problem


def test_nothing_is_printed(capfd: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    jaxref.check_paths([tmp_path / "nowhere"])
    jaxref.check_source(MISTAKE)
    assert capfd.readouterr() == ("", "")


def test_an_unknown_name_is_an_attribute_error() -> None:
    with pytest.raises(AttributeError, match="no attribute 'chekc'"):
        jaxref.chekc  # noqa: B018
    assert "check_source" in dir(jaxref)

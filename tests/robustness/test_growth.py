"""Texts made to stall whoever reads them: the work grows with the size, not with its square.

Nothing here is timed. What is quadratic would take minutes to hours at these sizes, and what is
exponential for ever: the process is given up long before that.
"""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from surviving import survive_on_the_command_line

from jaxref.source.cells import plain_cell
from jaxref.source.documents import document_of
from jaxref.source.lines import shape_of
from jaxref.source.markdown import page_of
from jaxref.source.parsing import parse
from jaxref.source.suppressions import suppressions_in
from jaxref.source.text import Replacement, Span, Text, replaced

SIZE = 300_000
PATIENCE = 120

TEXTS = {
    "nested quotes": ("page.md", "> " * 5_000 + "text\n"),
    "a closing that is none": ("page.md", "```python\nx\n" + "> " * 5_000 + "text\n"),
    "spaces in a reason": ("a.py", f"x  # jaxref: ignore -- a{' ' * SIZE}b\n"),
    "spaces before no reason": ("a.py", f"x  # jaxref: ignore{' ' * SIZE}b\n"),
    "a target that goes on": ("book.ipynb", f"%x\na{' ' * SIZE}b\n"),
    "questions": ("book.ipynb", f"%x\na{'? ' * SIZE}b\n"),
    "many magics": ("book.ipynb", "%x\n" * 8_000),
    "many magics with quotes": ("book.ipynb", '!x "\n' * 8_000),
    "magics upon magics": ("book.ipynb", "%%time\n" * 8_000),
    "f-strings in f-strings": ("a.py", "x = f'{f\"{" * 8_000),
    "strings in an f-string": ("a.py", "x = f'{" + "'a'," * 20_000),
}


def read(name: str) -> None:
    """Do with a text what reading it takes."""
    file, text = TEXTS[name]
    if file.endswith(".ipynb"):
        assert len(plain_cell(text).code) == len(text)
    elif file.endswith(".md"):
        page_of(text)
    else:
        shape_of(Text(text))
        suppressions_in(Text(text))
    if file.endswith(".ipynb"):
        text = json.dumps({"cells": [{"cell_type": "code", "source": text}]})
    survive_on_the_command_line(text, file)


@pytest.mark.parametrize("name", TEXTS)
def test_reading(name: str) -> None:
    folders = [str(Path(__file__).parent), *filter(None, sys.path)]
    script = (
        f"import sys; sys.path[:0] = {folders!r}\n"
        "from jaxref.cli.deep import on_big_stack\n"
        "import test_growth\n"
        f"on_big_stack(lambda: test_growth.read({name!r}) or 0)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", script],
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
    assert done.returncode == 0, done.stderr[-2000:]


def test_text_without_a_line_that_begins_a_statement() -> None:
    assert parse("  x\n x\n" * 500).errors
    assert parse(" (\n" * 300).errors


def test_the_last_of_doubled_keys_is_the_one_that_is_edited() -> None:
    """`json` takes the last one; an edit across both would leave something that is no JSON."""
    content = (
        '{"cells": {"a": {"source": "x"}}, "cells": [{"cell_type": "code", "source": "y = 1\\n",'
        ' "outputs": [], "source": ["z = 1\\n", "w = 2"]}]}'
    )
    document = document_of(content, "notebook")
    assert document.module.content == "z = 1\nw = 2\n"
    edit = Replacement(Span(4, 10), "3\nv = ")
    changed = replaced(content, document.file_edits([edit]))
    (cell,) = json.loads(changed)["cells"]
    assert "".join(cell["source"]) == "z = 3\nv = 2"

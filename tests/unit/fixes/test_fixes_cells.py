"""Fixes in the cells of notebooks and the fences of pages stay in them, at their indentation."""

from __future__ import annotations

import json
from pathlib import Path

from jaxref.cli.main import main

FUNCTION = """\
import jax
import jax.numpy as jnp
n = jax.new_ref(0.0)
def f(x):
    n[...] += x
    return x
"""
CALL = "ys = jax.vmap(f)(jnp.arange(3.0))"
FIXED = """\
examples = jnp.arange(3.0)
n_rows = jax.new_ref(jnp.zeros(len(examples), n.dtype))
ys = jax.vmap(f)(examples, n_rows)
n[...] += n_rows[...].sum(0)
"""


def fixed(path: Path, text: str) -> str:
    """The text of a file after `jaxref check --fix`."""
    path.write_text(text, encoding="utf-8")
    assert (
        main(["check", "--fix", "--no-cache", "--config", "jax-version='0.12.0.1'", str(path)]) == 0
    )
    return path.read_text(encoding="utf-8")


def test_a_line_after_the_last_of_a_fence(tmp_path: Path) -> None:
    def page(*fences: str) -> str:
        shown = [
            "".join(f"   {line}\n" for line in [opening, *fence.splitlines(), "```"])
            for opening, fence in zip(["```python", "```python continue"], fences, strict=True)
        ]
        return "1. First\n\n" + "\n   then\n\n".join(shown) + "\nEnd.\n"

    after = fixed(tmp_path / "page.md", page(FUNCTION, CALL))
    assert after == page(FUNCTION.replace("f(x)", "f(x, n)"), FIXED)


def test_a_line_after_the_last_of_a_cell(tmp_path: Path) -> None:
    def notebook(*cells: str) -> str:
        made = [
            {
                "cell_type": "code",
                "execution_count": None,
                "id": f"cell{i}",
                "metadata": {},
                "outputs": [],
                "source": cell.splitlines(keepends=True),
            }
            for i, cell in enumerate(cells)
        ]
        whole = {"cells": made, "metadata": {}, "nbformat": 4, "nbformat_minor": 5}
        return json.dumps(whole, indent=1) + "\n"

    after = fixed(tmp_path / "page.ipynb", notebook(FUNCTION, CALL, "print(ys)"))
    cells = ["".join(cell["source"]) for cell in json.loads(after)["cells"]]
    assert cells == [FUNCTION.replace("f(x)", "f(x, n)"), FIXED.rstrip(), "print(ys)"]

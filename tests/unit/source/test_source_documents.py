"""Notebooks and pages: the module made of them, and the way back to the file."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from jaxref.source.cells import join_cells, plain_cell
from jaxref.source.documents import Place, document_of, kind_of
from jaxref.source.parsing import parse
from jaxref.source.reading import Unreadable
from jaxref.source.text import Replacement, Span, replaced

PAGE = """\
# Title with `x = 0`

```python
import jax
x = 1
```

* item

  ```py
  def f():
      return x

  y = f()
  ```

> ```python
> quoted = 1
> ```

```pycon
>>> a = 1
>>> for i in range(3):
...     print(i)
0
1
>>> b = 2
```

````{tab} name
```{code-cell} ipython3
:tags: [hide]

%time z = 3
!ls
```
````

```{code-block} python
---
caption: A title
---
shown = 1
```

```python
a fragment (...
```

```bash
x = not python
```

~~~python title="w.py"
w = 1
~~~
"""


def test_a_page_keeps_its_lines() -> None:
    document = document_of(PAGE, "page")
    assert document.module.line_count() == document.source.line_count()
    assert parse(document.module.content).errors == ()


@pytest.mark.parametrize(
    "code",
    [
        "import jax",
        "return x",
        "y = f()",
        "quoted = 1",
        "a = 1",
        "print(i)",
        "b = 2",
        "z = 3",
        "shown = 1",
        "w = 1",
    ],
)
def test_code_of_a_page_is_found_in_its_place(code: str) -> None:
    document = document_of(PAGE, "page")
    offset = document.module.content.index(code)
    assert PAGE[document.file_offset(offset) :].startswith(code)
    line, column = document.source.position(PAGE.index(code))
    assert document.place(offset) == Place(None, line, column)


@pytest.mark.parametrize(
    "other", ["Title", "fragment", "not python", "!ls", "tags", "caption", "%time"]
)
def test_what_is_no_python_is_not_in_the_module(other: str) -> None:
    assert other not in document_of(PAGE, "page").module.content


def edited(document_text: str, kind: Any, code: str, new: str) -> str:
    document = document_of(document_text, kind)
    start = document.module.content.index(code)
    edits = document.file_edits([Replacement(Span(start, start + len(code)), new)])
    return replaced(document_text, edits)


def test_an_edit_of_an_indented_fence_is_indented() -> None:
    text = edited(PAGE, "page", "y = f()", "y = 1\nif y:\n    y = f()")
    assert "  y = 1\n  if y:\n      y = f()\n  ```" in text


def test_an_edit_of_a_quoted_fence_is_quoted() -> None:
    assert "> quoted = 2\n> more = 3\n" in edited(
        PAGE, "page", "quoted = 1", "quoted = 2\nmore = 3"
    )


def test_a_line_inserted_before_a_line_of_an_indented_fence() -> None:
    document = document_of(PAGE, "page")
    start = document.module.content.index("y = f()")
    [edit] = document.file_edits([Replacement(Span(start, start), "q = 1\n")])
    assert "\n  q = 1\n  y = f()\n" in replaced(PAGE, [edit])


def test_no_line_is_added_to_an_interactive_session() -> None:
    assert "\n>>> b = 3\n" in edited(PAGE, "page", "b = 2", "b = 3")
    with pytest.raises(ValueError, match="interactive session"):
        edited(PAGE, "page", "b = 2", "b = 3\nc = 4")


def test_crlf_pages() -> None:
    page = PAGE.replace("\n", "\r\n")
    document = document_of(page, "page")
    offset = document.module.content.index("y = f()")
    assert page[document.file_offset(offset) :].startswith("y = f()")


@pytest.mark.parametrize(
    "page", ["```python\nx = 1", "```python", "```", "```python\n```", "~~~py\n```\n~~~", ""]
)
def test_odd_pages(page: str) -> None:
    document_of(page, "page")


def notebook(
    *cells: Any, language: str = "python", indent: int | None = 1, ascii_only: bool = False
) -> str:
    made = []
    for cell in cells:
        kind, source = cell if isinstance(cell, tuple) else ("code", cell)
        made.append(
            {
                "cell_type": kind,
                "metadata": {"source": "no"},
                "source": source,
                "outputs": [{"text": ["source"]}],
            }
        )
    content = {"cells": made, "metadata": {"language_info": {"name": language}}, "nbformat": 4}
    return json.dumps(content, indent=indent, ensure_ascii=ascii_only)


CELLS = notebook(
    ("markdown", ["# title\n", "x = 0"]),
    ["%matplotlib inline\n", "import jax\n", 'é = "a\\tb😀"\n', "files = !ls\n", "f(é)"],
    "a = 1\nb = é\n%run other.py",
    ["%%bash\n", "ls ("],
    ["%%time\n", "c = slow()\n", "c?"],
    [],
)


def test_a_notebook_is_the_module_of_its_code_cells() -> None:
    document = document_of(CELLS, "notebook")
    parsed = parse(document.module.content)
    assert parsed.errors == ()
    for code in ("import jax", "files = _", "f(é)", "b = é", "c = slow()"):
        assert code in document.module.content
    for other in ("title", "%", "ls", "?"):
        assert other not in document.module.content
    assert document.notebook is not None
    assert document.notebook.joined.may_define


@pytest.mark.parametrize(
    ("code", "place"),
    [
        ("import jax", Place(2, 2, 1)),
        ("f(é)", Place(2, 5, 1)),
        ("b = é", Place(3, 2, 1)),
        ("c = slow()", Place(5, 2, 1)),
    ],
)
def test_places_in_a_notebook(code: str, place: Place) -> None:
    document = document_of(CELLS, "notebook")
    offset = document.module.content.index(code)
    assert document.place(offset) == place
    assert CELLS[document.file_offset(offset) :].startswith(code)


def test_offsets_count_the_written_escapes() -> None:
    text = notebook(['x = "\t😀"; y = 1\n'], ascii_only=True)
    document = document_of(text, "notebook")
    assert text[document.file_offset(document.module.content.index("y = 1")) :].startswith("y = 1")


@pytest.mark.parametrize("indent", [None, 1, 4])
@pytest.mark.parametrize("ascii_only", [False, True])
@pytest.mark.parametrize("source", [["a = 1\n", "b = é\n", "c = 3"], "a = 1\nb = é\nc = 3"])
def test_only_the_changed_strings_of_a_notebook_are_touched(
    source: Any, ascii_only: bool, indent: int | None
) -> None:
    before = notebook(["z = 0"], source, indent=indent, ascii_only=ascii_only)
    after = edited(before, "notebook", "b = é", "ä = 'é'\nb = é")
    loaded = json.loads(after)
    cell = loaded["cells"][1]["source"]
    assert "".join(cell) == "a = 1\nä = 'é'\nb = é\nc = 3"
    assert type(cell) is type(source)
    loaded["cells"][1]["source"] = source
    assert json.dumps(loaded, indent=indent, ensure_ascii=ascii_only) == before
    assert after.isascii() == ascii_only
    if indent == 1 and isinstance(source, list):
        at = before.index('"b = ')
        assert after.startswith(before[:at])


def test_a_line_is_added_to_a_cell_of_one_line() -> None:
    after = edited(notebook(["x = 1"]), "notebook", "x = 1", "w = 0\nx = 1")
    assert json.loads(after)["cells"][0]["source"] == ["w = 0\n", "x = 1"]


def test_an_edit_across_cells_is_refused() -> None:
    text = notebook(["a = 1"], ["b = 2"])
    document = document_of(text, "notebook")
    with pytest.raises(ValueError, match="crosses cells"):
        document.file_edits([Replacement(Span(2, 8), "")])


@pytest.mark.parametrize(
    ("content", "words"),
    [
        ("", "is not a notebook"),
        ("{", "on line 1"),
        ("[]", "no list of cells"),
        ('{"worksheets": []}', "no list of cells"),
        ("[" * 100_000, "is not a notebook"),
    ],
)
def test_what_is_no_notebook(content: str, words: str) -> None:
    with pytest.raises(Unreadable, match=words):
        document_of(content, "notebook")


def test_other_languages_have_no_code() -> None:
    document = document_of(notebook(["x <- 1"], language="R"), "notebook")
    assert document.module.content == ""
    assert document.place(0) == Place(None, 1, 1)


@pytest.mark.parametrize(
    ("cell", "plain"),
    [
        ("x = 1\n", "x = 1\n"),
        ("%cd ..\nx", "pass  \nx"),
        ("if a:\n    %cd ..\n", "if a:\n    pass  \n"),
        ("x = (a\n  % b)", "x = (a\n  % b)"),
        ("x = %env HOME", "x = _        "),
        ("!a \\\n b\nx", "pass\n  \nx"),
        ("f?", "0 "),
        ("?f", "0 "),
        ("!", "0"),
        ("%time x = 1", "0;    x = 1"),
        ('s = """\n%no magic\n"""\n!ls', 's = """\n%no magic\n"""\n0  '),
        ("%%time\nx = 1", "      \nx = 1"),
        ("%%html\n<p>", "      \n   "),
    ],
)
def test_magics_are_blanked_in_place(cell: str, plain: str) -> None:
    assert plain_cell(cell).code == plain
    assert parse(plain_cell(cell).code).errors == ()


def test_which_magics_may_define_names() -> None:
    assert plain_cell("%run setup.py").may_define
    assert plain_cell("%%cython\ndef f(): pass").may_define
    assert not plain_cell("%timeit -n 3 f()\n!pip install jax\n%matplotlib inline").may_define


@settings(max_examples=100, deadline=None)
@given(st.lists(st.text(alphabet="ab=1\n%!? é", max_size=20), max_size=5))
def test_joined_cells_lead_there_and_back(cells: list[str]) -> None:
    joined = join_cells(cells)
    for number, cell in enumerate(cells):
        assert len(plain_cell(cell).code) == len(cell)
        for offset in range(len(cell) + 1):
            assert joined.cell_at(joined.offset_of(number, offset)) == (number, offset)


def test_kinds() -> None:
    assert kind_of("a/B.PY") == "module"
    assert kind_of("x.ipynb") == "notebook"
    assert kind_of("x.md") == "page"
    assert kind_of("x.txt") is None

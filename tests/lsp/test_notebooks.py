"""Notebooks: one module of their cells in order; findings and edits by cell."""

from __future__ import annotations

from typing import Any

import pytest
from client import Client, apply_edits, pull_params, span


class Notebook:
    """A notebook as an editor holds it, told to the server."""

    def __init__(self, client: Client, name: str, *texts: str) -> None:
        self.client = client
        self.uri = f"file:///nowhere/{name}.ipynb"
        self.version = 1
        self.made = 0
        self.cells: list[str] = []
        self.kinds: dict[str, int] = {}
        items = [self._new(text) for text in texts]
        self.client.notify(
            "notebookDocument/didOpen",
            {
                "notebookDocument": {
                    "uri": self.uri,
                    "notebookType": "jupyter-notebook",
                    "version": 1,
                    "cells": [self._cell(one) for one in self.cells],
                },
                "cellTextDocuments": items,
            },
        )

    def _new(self, text: str, language: str = "python") -> dict[str, Any]:
        uri = f"vscode-notebook-cell:/nowhere/{self.uri.rpartition('/')[2]}#W{self.made}s%3D"
        self.made += 1
        self.cells.append(uri)
        return {"uri": uri, "languageId": language, "version": 1, "text": text}

    def _cell(self, uri: str) -> dict[str, Any]:
        return {"kind": self.kinds.get(uri, 2), "document": uri}

    def change(self, **cells: Any) -> int:
        """Send a change; the mark before it."""
        mark = self.client.mark()
        self.version += 1
        self.client.notify(
            "notebookDocument/didChange",
            {
                "notebookDocument": {"uri": self.uri, "version": self.version},
                "change": {"cells": cells},
            },
        )
        return mark

    def splice(
        self,
        start: int,
        count: int,
        *,
        texts: tuple[str, ...] = (),
        cells: tuple[str, ...] = (),
        close: bool = True,
    ) -> int:
        """Replace `count` cells by known `cells` and new ones with `texts`."""
        gone = self.cells[start : start + count]
        kept = self.cells[:start], self.cells[start + count :]
        self.cells = []
        opened = [self._new(text) for text in texts]
        new = [*cells, *self.cells]
        self.cells = [*kept[0], *new, *kept[1]]
        return self.change(
            structure={
                "array": {
                    "start": start,
                    "deleteCount": count,
                    "cells": [self._cell(one) for one in new],
                },
                "didOpen": opened,
                "didClose": [{"uri": one} for one in gone if one not in self.cells and close],
            }
        )

    def edit(self, index: int, where: Any, text: str) -> int:
        """Edit a cell's text."""
        document = {"uri": self.cells[index], "version": self.version + 1}
        return self.change(
            textContent=[{"document": document, "changes": [{"range": where, "text": text}]}]
        )

    def found(self, index: int, after: int = 0) -> list[Any]:
        """The ranges published for a cell."""
        # A notebook's cells are published together, in their order: wait for the last.
        self.client.published(self.cells[-1], after)
        params = self.client.published(self.cells[index], after)
        return [one["range"] for one in params["diagnostics"]]

    def close(self) -> int:
        """Close it; the mark before."""
        mark = self.client.mark()
        self.client.notify(
            "notebookDocument/didClose",
            {
                "notebookDocument": {"uri": self.uri},
                "cellTextDocuments": [{"uri": one} for one in self.cells],
            },
        )
        return mark


@pytest.fixture(params=["pushing", "pulling"])
def client(request: pytest.FixtureRequest) -> Client:
    """Cells are pushed to both kinds of client."""
    made: Client = request.getfixturevalue(request.param)
    return made


BAD = span(0, 0, 0, 3)


def test_findings_are_in_their_cells(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "a", "x = 1", "'😀', BAD\nBAD\n", "", "REL")
    assert book.found(0) == []
    assert book.found(1) == [span(0, 6, 0, 9), span(1, 0, 1, 3)]
    assert book.found(2) == []
    (params,) = client.publications(book.cells[1])
    assert params["version"] == 1
    related = params["diagnostics"][0]["relatedInformation"][0]["location"]
    assert related == {"uri": book.cells[3], "range": span(0, 0, 0, 3)}
    book.close()


def test_magics_do_not_move_anything(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "b", "%matplotlib inline\n!ls BAD\nBAD", "%%bash\nBAD")
    assert book.found(0) == [span(2, 0, 2, 3)]
    assert book.found(1) == []
    book.close()


def test_insert_move_and_delete(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "c", "BAD", "REL")
    assert book.found(0) == [BAD]
    mark = book.splice(1, 0, texts=("\nBAD",))
    assert book.found(1, mark) == [span(1, 0, 1, 3)]
    assert book.found(0, mark) == [BAD]
    assert book.found(2, mark) == []

    first, second, third = book.cells
    mark = book.splice(0, 3, cells=(third, first, second))
    assert book.found(0, mark) == []
    assert book.found(1, mark) == [BAD]
    assert book.found(2, mark) == [span(1, 0, 1, 3)]

    mark = book.splice(1, 1)
    assert client.published(first, mark)["diagnostics"] == []
    assert book.found(1, mark) == [span(1, 0, 1, 3)]
    book.close()


def test_edits_of_cells(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "d", "x\x0cy\u2028z\n", "BAD")
    assert book.found(1) == [BAD]
    mark = book.edit(0, span(0, 5, 0, 5), " BAD")
    assert book.found(0, mark) == [span(0, 6, 0, 9)]
    mark = book.edit(1, span(0, 0, 0, 0), "\n\n")
    assert book.found(1, mark) == [span(2, 0, 2, 3)]
    book.close()


def test_insert_and_edit_in_one_change(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "e", "x")
    book.found(0)
    old = book.cells[0]
    book.cells = []
    item = book._new("BAD")
    book.cells.append(old)
    document = {"uri": old, "version": 9}
    mark = book.change(
        structure={
            "array": {"start": 0, "deleteCount": 0, "cells": [book._cell(item["uri"])]},
            "didOpen": [item],
        },
        textContent=[
            {"document": document, "changes": [{"range": span(0, 0, 0, 1), "text": "BAD"}]}
        ],
    )
    assert book.found(0, mark) == [BAD]
    assert book.found(1, mark) == [BAD]
    book.close()


def test_retyping_takes_the_findings_back(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "f", "BAD", "BAD")
    assert book.found(1) == [BAD]
    mark = book.change(data=[{"kind": 1, "document": book.cells[1]}])
    assert book.found(1, mark) == []
    mark = book.change(data=[{"kind": 2, "document": book.cells[1]}])
    assert book.found(1, mark) == [BAD]
    # As VS Code does it: the cell goes, and another one comes.
    gone = book.cells[0]
    mark = book.splice(0, 1, texts=("BAD BAD",))
    assert client.published(gone, mark)["diagnostics"] == []
    assert len(book.found(0, mark)) == 2
    book.close()


def test_clearing_the_outputs_changes_nothing(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "g", "BAD")
    book.found(0)
    cell = {**book._cell(book.cells[0]), "executionSummary": {"executionOrder": 3}}
    mark = book.change(data=[cell])
    assert book.found(0, mark) == [BAD]
    book.close()


def test_closing_takes_everything_back(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "h", "BAD", "BAD")
    book.found(1)
    mark = book.close()
    assert book.found(0, mark) == []
    assert book.found(1, mark) == []
    assert client.actions(book.cells[0]) == []


def test_a_notebook_that_is_not_open_does_no_harm(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "i", "BAD")
    book.found(0)
    book.close()
    book.edit(0, span(0, 0, 0, 0), "x")
    book.splice(0, 1)
    book.close()
    assert client.hover(uri, 0, 0) is None


def test_an_empty_notebook(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "j")
    mark = book.splice(0, 0, texts=("BAD",))
    assert book.found(0, mark) == [BAD]
    mark = book.splice(0, 1)
    assert client.hover(book.uri, 0, 0) is None
    book.close()


def test_cells_are_not_pulled(pulling: Client, uri: str) -> None:
    book = Notebook(pulling, uri[-8:-3] + "k", "BAD")
    book.found(0)
    assert pulling.request("textDocument/diagnostic", pull_params(book.cells[0]))["items"] == []
    book.close()


def test_hover_and_fixes_in_a_cell(client: Client, uri: str) -> None:
    book = Notebook(client, uri[-8:-3] + "l", "'😀'", "'😀'; word; BAD")
    found = client.hover(book.cells[1], 0, 7)
    assert found["range"] == span(0, 6, 0, 10)
    assert client.hover(book.cells[0], 0, 1) is None
    actions = {one["title"]: one for one in client.actions(book.cells[1])}
    (change,) = actions["Make it good"]["edit"]["documentChanges"]
    assert change["textDocument"] == {"uri": book.cells[1], "version": 1}
    assert apply_edits("'😀'; word; BAD", change["edits"], "utf-16") == "'😀'; word; GOOD"
    (silence,) = actions["Ignore bad-word on this line"]["edit"]["documentChanges"]
    assert silence["textDocument"]["uri"] == book.cells[1]
    assert client.actions(book.cells[0], only=["quickfix"]) == []
    book.close()


def test_fix_all_is_for_the_whole_notebook(client: Client, uri: str) -> None:
    texts = ["CHAIN", "x = 1\n", "'😀' BAD\nBAD"]
    book = Notebook(client, uri[-8:-3] + "m", *texts)
    assert client.actions(book.cells[0], only=["source.fixAll"]) == []
    (action,) = client.actions(book.cells[1], only=["notebook.source.fixAll"])
    assert action["kind"] == "notebook.source.fixAll.jaxref"
    action = client.request("codeAction/resolve", action)
    after = dict(zip(book.cells, texts, strict=True))
    for change in action["edit"]["documentChanges"]:
        uri = change["textDocument"]["uri"]
        assert change["textDocument"]["version"] == 1
        after[uri] = apply_edits(after[uri], change["edits"], "utf-16")
    assert list(after.values()) == ["GOOD", "x = 1\n", "'😀' GOOD\nGOOD"]
    book.close()


def test_fixing_all_that_one_rule_finds(client: Client, uri: str) -> None:
    texts = ["BAD", "x = 1\n", "CHAIN BAD"]
    book = Notebook(client, uri[-8:-3] + "r", *texts)
    (action,) = [
        one for one in client.actions(book.cells[0]) if "all safe bad-word" in one["title"]
    ]
    assert action["title"].endswith("in this notebook")
    action = client.request("codeAction/resolve", action)
    after = dict(zip(book.cells, texts, strict=True))
    for change in action["edit"]["documentChanges"]:
        uri = change["textDocument"]["uri"]
        after[uri] = apply_edits(after[uri], change["edits"], "utf-16")
    assert list(after.values()) == ["GOOD", "x = 1\n", "CHAIN GOOD"]
    book.close()


@pytest.mark.parametrize(
    "metadata",
    [
        {"tags": ["x", "raises-exception"]},
        {"metadata": {"tags": ["raises-exception"]}},
        {"custom": {"metadata": {"tags": ["raises-exception"]}}},
    ],
)
def test_a_cell_that_is_meant_to_fail(client: Client, uri: str, metadata: dict[str, Any]) -> None:
    book = Notebook(client, uri[-8:-3] + "f", "BAD", "BAD")
    assert client.published(book.cells[1])["diagnostics"][0]["severity"] == 1
    mark = client.mark()
    cell = {"kind": 2, "document": book.cells[1], "metadata": metadata}
    book.change(data=[cell])
    (found,) = client.published(book.cells[1], mark)["diagnostics"]
    assert (found["severity"], found["message"]) == (4, "meant to fail: `BAD`")
    assert client.published(book.cells[0], mark)["diagnostics"][0]["severity"] == 1
    assert [one for one in client.actions(book.cells[1]) if one["title"] == "Make it good"] == []
    mark = client.mark()
    book.change(data=[{**cell, "metadata": {"tags": "raises-exception, or not"}}])
    assert client.published(book.cells[1], mark)["diagnostics"][0]["severity"] == 1
    book.close()


def test_a_notebook_sent_as_one_text(pushing: Client, uri: str) -> None:
    """As JupyterLab does: a Python document by the name of the notebook."""
    name = uri.replace(".py", ".ipynb")
    pushing.open(name, "x = 1\nBAD\n")
    assert pushing.published(name)["diagnostics"][0]["range"] == span(1, 0, 1, 3)
    pushing.close(name)

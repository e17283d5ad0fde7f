"""What is done with random bytes, and what must hold afterwards: one function for each target.

A target takes bytes, makes of them what it needs, and raises where a promise is broken. The same
functions are driven by libFuzzer (`run.py`) and by a short seeded run in the suite (`test_fuzz.py`).
"""

from __future__ import annotations

import json
import tempfile
from collections.abc import Callable
from pathlib import Path

import client
from lsprotocol import types
from surviving import SETTINGS, bounded, survive, survive_on_the_command_line
from zoo import around

from jaxref.engine import Snapshot, analyse
from jaxref.fixes.apply import apply_edits, fix_text
from jaxref.fixes.silencing import silencing_edits
from jaxref.lsp.configuration import Configuration
from jaxref.lsp.documents import Documents
from jaxref.lsp.positions import Encoding
from jaxref.lsp.transport import Framing, FramingError
from jaxref.rules.registry import rule_names
from jaxref.settings import load_settings
from jaxref.source.documents import document_of
from jaxref.source.parsing import parse
from jaxref.source.reading import Unreadable
from jaxref.source.suppressions import suppressions_in
from jaxref.source.text import Replacement, Span, Text, replaced

PATH = "/nowhere/fuzzed.py"
SIZES: tuple[Encoding, ...] = ("utf-8", "utf-16", "utf-32")


class Choices:
    """Bytes read as choices, one after the other; zeros behind the end."""

    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    @property
    def ended(self) -> bool:
        """Whether all bytes have been read."""
        return self._at >= len(self._data)

    def below(self, bound: int) -> int:
        """A number from 0 to `bound` - 1: from one byte for small bounds, else from two."""
        size = 1 if bound <= 256 else 2
        taken = self._data[self._at : self._at + size]
        self._at += size
        return int.from_bytes(taken) % bound if bound else 0

    def text(self, size: int) -> str:
        """At most `size` bytes as text; what is no UTF-8 gives halves of characters."""
        taken = self._data[self._at : self._at + size]
        self._at += size
        return text_of(taken)

    def rest(self) -> str:
        """All that is left, as text."""
        return self.text(len(self._data))


def text_of(data: bytes) -> str:
    """The bytes as text: undecodable ones become lone surrogates, as from a broken client."""
    return data.decode("utf-8", "surrogateescape")


# -- from text to findings -------------------------------------------------------------------------


def analysis(data: bytes) -> None:
    """Any text behind the beginning of a program with a ref."""
    survive(around(text_of(data)))


PIECES = (
    "r", "r[...]", "r[...] = ", "x", "x, y = ", "f_vjp", "jax", ".new_ref(", "jax.vjp(", "jax.grad(",
    "jax.jit(", "jax.vmap(", "jax.lax.scan(", "jax.freeze(", ".with_refs(", "jax.checkpoint(",
    "jnp.ones(3)", "jnp.sum(", "lambda a: ", "lambda a, b: ", "a", "b", "a[...]", "a[0] += ", "(", ")",
    ", ", "[", "]", "{", "}", ": ", " = ", " + ", " @ ", " * ", " if ", " else ", " for a in ", " in ",
    "None", "1.0", "0", "'s'", "True", "...", "self", ".r", ".append(", ".items()", "*", "**", "zip(",
    "def f(a, b=None):\n", "def g():\n", "class C:\n", "for a in range(3):\n", "while a:\n", "if a:\n",
    "else:\n", "elif b:\n", "try:\n", "except ValueError:\n", "finally:\n", "with a as b:\n", "return ",
    "yield ", "raise ", "del ", "global r\n", "nonlocal r\n", "pass\n", "break\n", "continue\n",
    "import ", "from jax import ", "@jax.jit\n", "@jax.custom_vjp\n", "match a:\n", "case [a, *b]:\n",
    "  # jaxref: ignore\n", "\n", "\n", "\n", "f(", "g(", "C(", "f", "g", "C", "jax.tree.map(",
    "jax.vjp(f, ", "jax.Ref", "jax.ad.DontWant()", "jnp.zeros_like(", ".shape", ".at[0].set(", "i",
)  # fmt: skip


def program(choices: Choices, size: int = 200) -> str:
    """A program of pieces, more often than not one that parses at least in part."""
    made: list[str] = []
    indent = 0
    for _ in range(size):
        if choices.ended:
            break
        piece = choices.below(len(PIECES) + 24)
        if piece >= len(PIECES):
            indent = (piece - len(PIECES)) % 4
            continue
        text = PIECES[piece]
        if not made or made[-1].endswith("\n"):
            made.append("    " * indent)
        made.append(text)
        if text.endswith(":\n"):
            indent = min(indent + 1, 5)
    return around("".join(made) + "\n")


def programs(data: bytes) -> None:
    """Programs of JAX's and Python's own words."""
    survive(program(Choices(data)))


def fixes(data: bytes) -> None:
    """All fixes to the end, and silencing: what parses still does."""
    text = program(Choices(data))
    broken = len(parse(text).errors)

    def found(content: str) -> tuple[object, ...]:
        return analyse(Snapshot(PATH, content), SETTINGS).diagnostics

    with bounded():
        diagnostics = analyse(Snapshot(PATH, text), SETTINGS).diagnostics
    for allowed in (frozenset(["safe"]), frozenset(["safe", "unsafe"])):
        fixed = fix_text(text, found, lambda one: not parse(one).errors, allowed, rounds=6)  # type: ignore[arg-type]
        assert broken or not parse(fixed.text).errors
    edits = silencing_edits(Text(text), [(one.rule, one.span.start) for one in diagnostics])
    silenced = apply_edits(text, edits)
    assert len(parse(silenced).errors) <= broken
    if broken:
        return
    left = {one.rule for one in analyse(Snapshot(PATH, silenced), SETTINGS).diagnostics}
    assert left <= {one.rule for one in diagnostics} | {"unused-ignore"}, silenced
    assert len(silencing_edits(Text(silenced), ())) == 0


# -- from bytes of files to text -------------------------------------------------------------------


def suppressions(data: bytes) -> None:
    """Comments for jaxref around a finding: only known findings go, and only by comments."""
    choices = Choices(data)
    text = around("")
    for _ in range(3):
        line = choices.below(text.count("\n") + 1)
        lines = text.split("\n")
        lines[line] += f"  # jaxref:{choices.text(24)}"
        text = "\n".join(lines)
    with bounded():
        found = analyse(Snapshot(PATH, text), SETTINGS).diagnostics
    survive(text)
    comments = suppressions_in(Text(text))
    for comment in comments:
        assert 0 <= comment.span.start < comment.span.end <= len(text)
        assert text[comment.span.start] == "#"
        for rule in comment.rules or ():
            assert text[rule.span.start : rule.span.end] == rule.name
    if not comments:
        bare = analyse(Snapshot(PATH, around("")), SETTINGS).diagnostics
        assert {one.rule for one in bare} <= {one.rule for one in found} or parse(text).errors


def notebook(data: bytes) -> None:
    """Any JSON as a notebook: places lie in the file, edits change just the cell they are for."""
    content = text_of(data)
    try:
        with bounded():
            document = document_of(content, "notebook")
    except Unreadable as problem:
        assert "\n" not in str(problem)
        return
    survive_on_the_command_line(content, "book.ipynb")
    book = document.notebook
    assert book is not None
    module = document.module.content
    for offset in range(0, len(module) + 1, max(1, len(module) // 50)):
        assert 0 <= document.file_offset(offset) <= len(content)
        place = document.place(offset)
        assert place.line >= 1
        assert place.column >= 1
    for index, cell in enumerate(book.cells):
        start = book.joined.starts[index]
        edit = Replacement(Span(start, start + len(cell.source) // 2), 'é"\\\n😀')
        if not cell.strings:
            continue
        changed = replaced(content, document.file_edits([edit]))
        after = document_of(changed, "notebook").notebook
        assert after is not None
        expected = edit.text + cell.source[len(cell.source) // 2 :]
        assert after.cells[index].source == expected, (cell.source, after.cells[index].source)
        assert [one.source for one in after.cells[:index]] == [
            one.source for one in book.cells[:index]
        ]


def page(data: bytes) -> None:
    """Any Markdown: the module has the page's lines, and each character of code is the page's."""
    content = text_of(data)
    with bounded():
        document = document_of(content, "page")
    module = document.module.content
    assert len(Text(module).line_starts) == len(document.source.line_starts)
    assert document.page is not None
    for piece in document.page.pieces:
        assert 0 <= piece.source <= piece.source + piece.length <= len(content)
    for offset in range(0, len(module) + 1, max(1, len(module) // 50)):
        assert 0 <= document.file_offset(offset) <= len(content)
    survive_on_the_command_line(content, "page.md")


def settings(data: bytes) -> None:
    """Any bytes as a settings file, and as what a client sends: problems are said, none is raised."""
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "jaxref.toml")
        file.write_bytes(data)
        path = str(Path(folder, "a.py"))
        made, problems = load_settings(path, known_rules=rule_names())
        hash(made)
        for problem in problems:
            assert problem.line >= 1
            assert problem.column >= 1
            assert "\n" not in problem.message or b"\\n" in data or b"\n" in data
        try:
            sent = json.loads(data)
        except (ValueError, RecursionError):
            return
        file.unlink()
        told: list[object] = []
        configuration = Configuration(lambda path, found: told.extend(found), rule_names)
        configuration.folders = [types.WorkspaceFolder(Path(folder).as_uri(), "folder")]
        configuration.pushed(sent)
        configuration.pulled(configuration.scopes(), sent if isinstance(sent, list) else [sent])
        hash(configuration.settings_of(path))
        configuration.excludes(path)


# -- the server ------------------------------------------------------------------------------------


def mirror(data: bytes) -> None:
    """Edits of a client in each encoding: the server's text is the client's text."""
    choices = Choices(data)
    encoding = SIZES[choices.below(3)]
    text = choices.text(choices.below(64)).encode("utf-8", "replace").decode("utf-8")
    documents = Documents(encoding)
    item = types.TextDocumentItem("file:///nowhere/a.py", types.LanguageKind.Python, 0, text)
    documents.open(item)
    for version in range(1, 12):
        places = [at for at in range(len(text) + 1) if at == 0 or text[at - 1 : at + 1] != "\r\n"]
        start, end = sorted(
            (places[choices.below(len(places))], places[choices.below(len(places))])
        )
        new = choices.text(choices.below(9)).encode("utf-8", "replace").decode("utf-8")
        where = types.Range(
            types.Position(**client.position(text, start, encoding)),
            types.Position(**client.position(text, end, encoding)),
        )
        change: types.TextDocumentContentChangeEvent = types.TextDocumentContentChangePartial(
            where, new
        )
        if choices.below(16) == 15:
            change = types.TextDocumentContentChangeWholeDocument(new)
            start, end = 0, len(text)
        text = text[:start] + new + text[end:]
        assert documents.change(item.uri, version, [change])
        mirrored = documents.text(item.uri)
        assert mirrored is not None
        assert mirrored.content == text, (encoding, start, end, new)


def framing(data: bytes) -> None:
    """Any bytes as a stream: cut in whatever pieces, the same messages come out."""
    whole = [one if isinstance(one, bytes) else None for one in Framing().feed(data)]
    for size in (1, 3, 7):
        pieces = Framing()
        found = [
            None if isinstance(one, FramingError) else one
            for at in range(0, len(data), size)
            for one in pieces.feed(data[at : at + size])
        ]
        assert found == whole, size
    bodies = [b"{}", data, b""]
    sent = b"".join(b"Content-Length: %d\r\n\r\n%s" % (len(one), one) for one in bodies)
    assert list(Framing().feed(sent)) == bodies


TARGETS: dict[str, Callable[[bytes], None]] = {
    one.__name__: one
    for one in (
        analysis, programs, fixes, suppressions, notebook, page, settings, mirror, framing,
    )
}  # fmt: skip

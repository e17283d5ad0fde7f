"""What the text of a module says of its parts: words, and what is defined by which of them."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator

from jaxref.quick_dataclasses import dataclass, field
from jaxref.relevance import SOURCES
from jaxref.source.text import Text
from jaxref.source.walking import children, first_line, last_line, walk

_ANNOTATION = re.compile(r"[\w.]+(?:(?: ?[|,\[] ?)[\w.]+\]*)*")
"""What an annotation in quotes looks like, and a name given as a string."""

_PATHS = re.compile(r"[\w.]+")
_MEANT = SOURCES | {f"{word}." for word in SOURCES}
_MENTIONS = re.compile(r"[^\W\d]\w*\.?")

OWNERS = frozenset(
    {
        "jax", "jax.ad", "jax.api", "jax.core", "jax.ref", "jax._src", "jax._src.core", "jax._src.state",
        "jax._src.state.discharge", "jax.experimental", "jax.experimental.pallas", "jax.experimental.state",
    }
)  # fmt: skip
"""The modules of JAX in which one of its words is a name that is described, and those around them."""
_LAST_OF_OWNERS = frozenset(owner.rpartition(".")[2] for owner in OWNERS)
_OWNER_TAKEN = re.compile(rf"\.[ \t]*(?:\\\r?\n[ \t]*)*(?:{'|'.join(sorted(_LAST_OF_OWNERS))})\b")

FUNCTIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
_NOTED = frozenset(
    {
        ast.Assign,
        ast.AnnAssign,
        ast.AugAssign,
        *FUNCTIONS,
        ast.ClassDef,
        ast.Import,
        ast.ImportFrom,
    }
)
"""The nodes of which something is noted beside what is below them, other than names and strings."""


@dataclass(slots=True)
class Definition:
    """A function, by its `node` and its words, or a class with the words of its bases and no node.

    `around` is the index of the definition that it stands in, -1 for none.
    """

    node: ast.AST | None
    words: set[str]
    around: int


@dataclass(slots=True)
class Words:
    """What a part of a module says, whatever stands around it.

    `definitions` holds the functions and classes, those around others first, and `around` is the one whose
    body is noted, -1 for none; `defined` the names that things have for others, with the words they are defined by.

    A name that is read is a word as it is. With a dot before it are attributes, words in strings, names of
    which only an attribute is taken, and a function's own variables; with `=` before it names that are bound.
    Paths are words, too: `a.b` where `b` is a word of JAX, and `a.b.` where `b` can be a module that has
    such words and nothing is taken of it.
    """

    all: set[str] = field(default_factory=set)
    definitions: list[Definition] = field(default_factory=list)
    around: int = -1
    defined: list[tuple[set[str], set[str]]] = field(default_factory=list)
    imports: list[ast.Import | ast.ImportFrom] = field(default_factory=list)


class Part:
    """A statement of a module, or of a class of the module; or such a class without its body.

    Its words are found when it is asked for them. `inside` is the class around it.
    """

    def __init__(self, node: ast.stmt, inside: Part | None = None) -> None:
        self.node = node
        self.inside = inside

    @property
    def words(self) -> Words:
        """Its words; the set and the lists may not be changed."""
        # Found once per node: trees are shared by analyses, and statements by trees.
        found: Words | None = getattr(self.node, "_words", None)
        if found is None:
            found = self.node._words = Words()  # type: ignore[attr-defined]
            if self.is_class:
                _note_head(found, self.node)  # type: ignore[arg-type]
            else:
                _note_all(found, (self.node,), found.all, True)
        return found

    @property
    def is_class(self) -> bool:
        """Whether it is a class without its body, which is made of other parts."""
        return self.inside is None and isinstance(self.node, ast.ClassDef)

    def mentioned(self, text: Text | None) -> frozenset[str] | None:
        """All names in it, with a dot behind those of which only an attribute is taken, found without
        looking at its nodes; None where that would not be enough.

        It is not where modules are imported, or can be taken from others, or one of JAX's words may be
        meant. `text` is the module's, None where the part stands elsewhere in it than its nodes say.
        """
        if self.is_class:
            return None
        if not hasattr(self.node, "_mentioned"):
            if text is None:
                return None
            self.node._mentioned = _mentioned(  # type: ignore[attr-defined]
                text.lines(first_line(self.node), last_line(self.node))
            )
        found: frozenset[str] | None = self.node._mentioned  # type: ignore[attr-defined]
        return found


def parts_of(tree: ast.Module) -> Iterator[Part]:
    """The parts of a module, a class before what stands in it."""
    for statement in tree.body:
        part = Part(statement)
        yield part
        if isinstance(statement, ast.ClassDef):
            for inner in statement.body:
                yield Part(inner, part)


def words_in(node: ast.expr) -> set[str]:
    """The words of an expression, as `Words` has them."""
    words: set[str] = set()
    _note_all(Words(), (node,), words, False)
    return words


def _mentioned(text: str) -> frozenset[str] | None:
    if not text.isascii():
        # Python reads names so.
        from unicodedata import normalize

        text = normalize("NFKC", text)
    found = frozenset(_MENTIONS.findall(text))
    if "import" in found or not found.isdisjoint(_MEANT) or _OWNER_TAKEN.search(text):
        return None
    return found


def _note_all(to: Words, nodes: Iterable[ast.AST], words: set[str], shared: bool) -> None:
    """Add the words in some nodes to `words`. Where names are `shared`, as in a module or a class, note
    what they define; in a function only attributes are for others."""
    for node in nodes:
        kind = type(node)
        # In the order of how frequent they are.
        if kind is ast.Name:
            if type(node.ctx) is ast.Load:  # type: ignore[attr-defined]
                words.add(node.id)  # type: ignore[attr-defined]
            else:
                words.add("=" + node.id)  # type: ignore[attr-defined]
        elif kind is ast.Attribute:
            _note_path(to, node, words, shared)  # type: ignore[arg-type]
        elif kind is ast.Constant:
            if type(node.value) is str:  # type: ignore[attr-defined]
                _note_string(words, node.value)  # type: ignore[attr-defined]
        elif kind not in _NOTED:
            _note_all(to, children(node), words, shared)
        elif isinstance(node, (ast.Assign, ast.AnnAssign, ast.AugAssign)):
            inner: set[str] = set()
            _note_all(to, children(node), inner, shared)
            _note_targets(to, node, inner, shared)
            words |= inner
        elif isinstance(node, FUNCTIONS):
            _note_function(to, node, words, shared)
        elif isinstance(node, ast.ClassDef):
            _note_class(to, node, words, shared)
        elif isinstance(node, (ast.Import, ast.ImportFrom)):
            to.imports.append(node)


def _note_string(words: set[str], text: str) -> None:
    """Add the words of what may be an annotation in quotes, or a name."""
    if _ANNOTATION.fullmatch(text):
        for path in _PATHS.findall(text):
            parts = path.split(".")
            words.update(["." + part for part in parts])
            if parts[-1] in SOURCES:
                words.add(path)


def _note_path(to: Words, node: ast.Attribute, words: set[str], shared: bool) -> None:
    """Add the words in `a.b.c`, and what of it may be a path to something of JAX."""
    attr = node.attr
    if attr in _LAST_OF_OWNERS:
        words.add(_dotted(node) + ".")
    while True:
        words.add("." + attr)
        if attr in SOURCES:
            words.add(_dotted(node))
        value = node.value
        kind = type(value)
        if kind is ast.Name:
            words.add("." + value.id)  # type: ignore[attr-defined]
            return
        if kind is not ast.Attribute:
            _note_all(to, (value,), words, shared)
            return
        node = value  # type: ignore[assignment]
        attr = node.attr


def _dotted(node: ast.expr) -> str:
    """`a.b.c` as it is written; it begins with a dot where `a` is no name."""
    parts = []
    while isinstance(node, ast.Attribute):
        parts.append(node.attr)
        node = node.value
    parts.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(parts))


def _note_function(
    to: Words, node: ast.FunctionDef | ast.AsyncFunctionDef, words: set[str], shared: bool
) -> None:
    inner: set[str] = set()
    around, to.around = to.around, len(to.definitions)
    to.definitions.append(Definition(node, inner, around))
    _note_all(to, children(node), inner, False)
    to.around = around
    _forget_locals(inner, node.args)
    _note_name(to, node.name, inner, shared)
    words |= inner


def _note_class(to: Words, node: ast.ClassDef, words: set[str], shared: bool) -> None:
    inner: set[str] = set()
    judged: set[str] = set()
    around, to.around = to.around, len(to.definitions)
    to.definitions.append(Definition(None, judged, around))
    _note_all(to, children(node), inner, True)
    to.around = around
    _note_name(to, node.name, inner, shared)
    _note_all(to, node.bases, judged, False)
    words |= inner


def _note_head(to: Words, node: ast.ClassDef) -> None:
    """Note a class of a module without its body. Its name is defined by the words of that, too."""
    judged: set[str] = set()
    _note_all(to, node.bases, judged, False)
    to.definitions.append(Definition(None, judged, -1))
    head = [*node.keywords, *node.decorator_list, *getattr(node, "type_params", ())]
    _note_all(to, [*node.bases, *head], to.all, True)
    _note_name(to, node.name, to.all, True)


def _note_name(to: Words, name: str, words: set[str], shared: bool) -> None:
    # Special methods are called without being named.
    if shared and not (name.startswith("__") and name.endswith("__")):
        to.defined.append(({name}, words))


def _forget_locals(words: set[str], parameters: ast.arguments) -> None:
    """Take the names of a function's own variables for no names of modules."""
    own = [word[1:] for word in words if word[0] == "="]
    words.difference_update([f"={name}" for name in own])
    arguments = [*parameters.posonlyargs, *parameters.args, *parameters.kwonlyargs]
    own += [one.arg for one in arguments]
    for name in own:
        if name in words:
            words.remove(name)
            words.add("." + name)


def _note_targets(
    to: Words, node: ast.Assign | ast.AnnAssign | ast.AugAssign, words: set[str], shared: bool
) -> None:
    targets = node.targets if isinstance(node, ast.Assign) else [node.target]
    names = {
        inner.attr if isinstance(inner, ast.Attribute) else inner.id
        for target in targets
        for inner in walk(target)
        if isinstance(inner, ast.Attribute) or (isinstance(inner, ast.Name) and shared)
    }
    if names:
        to.defined.append((names, words))

"""The program that a finding stands in, as its fixes see it: text, tree, facts and values."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator, Mapping, Sequence
from functools import cached_property

from jaxref.domain.values import Value, options
from jaxref.facts import Fact, Place
from jaxref.fixes.parents import Parents
from jaxref.fixes.scopes import Scope, Scopes
from jaxref.quick_dataclasses import dataclass, field
from jaxref.source.parsing import span_of
from jaxref.source.text import Span, Text
from jaxref.source.walking import statements_on

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    N = TypeVar("N", bound=ast.AST)

_KEY = re.compile(r"""\['([^'"\\]*)'\]""")

HEADERS = (
    ast.FunctionDef,
    ast.AsyncFunctionDef,
    ast.ClassDef,
    ast.If,
    ast.For,
    ast.AsyncFor,
    ast.While,
    ast.With,
    ast.AsyncWith,
    ast.Try,
    ast.TryStar,
    ast.Match,
)
"""Statements that hold others."""

DEFINITIONS = (ast.FunctionDef, ast.AsyncFunctionDef)
"""Statements that define a function."""


@dataclass
class Program:
    """One module and what its analysis found.

    `facts` are those that may matter to what is fixed. `version` is the installed JAX's, None where
    unknown. `seen` holds the value of an expression when it was first evaluated and its heap object,
    by the type of its node and its span.
    """

    path: str
    text: Text
    tree: ast.Module
    facts: Sequence[Fact] = ()
    version: tuple[int, ...] | None = None
    seen: Mapping[tuple[str, int, int], tuple[Value, Any]] = field(default_factory=dict)

    @cached_property
    def parents(self) -> Parents:
        """The parent of every node of the tree but the root."""
        return Parents(self.tree)

    @cached_property
    def scopes(self) -> Scopes:
        """The scopes of the module."""
        return Scopes(self.tree, self.text)

    def has(self, node: ast.AST | None) -> bool:
        """True when `node` is part of this module (facts may speak of others)."""
        return node is self.tree or node in self.parents

    def span(self, node: ast.AST) -> Span:
        """The stretch of a node that has a place; parentheses around it do not count."""
        assert isinstance(
            node, (ast.expr, ast.stmt, ast.keyword, ast.arg, ast.alias, ast.ExceptHandler)
        )
        return span_of(node, self.text)

    def at(self, place: Place, kind: type[N]) -> N | None:
        """The outermost node of a kind that is exactly at a place; None for one in another file."""
        if place.path != self.path:
            return None
        line = self.text.line_index(place.span.start) + 1
        return next(
            (
                node
                for statement in statements_on(self.tree, line)
                for node in ast.walk(statement)
                if isinstance(node, kind) and self.span(node) == place.span
            ),
            None,
        )

    def source(self, node: ast.AST) -> str:
        """The text of a node."""
        return self.text.slice(self.span(node))

    def words(self, node: ast.AST) -> str:
        """A node on one line, without comments, for what the user reads."""
        return self.in_quotes(ast.unparse(node))

    def in_quotes(self, text: str) -> str:
        """`text` with its string keys, such as `x['w']`, in the quotes that the file uses most."""
        content = self.text.content
        if content.count('"') < content.count("'"):
            return text
        return _KEY.sub(r'["\1"]', text)

    def ancestors(self, node: ast.AST) -> Iterator[ast.AST]:
        """The nodes around `node`, the innermost first."""
        parent = self.parents.get(node)
        while parent is not None:
            yield parent
            parent = self.parents.get(parent)

    def statement(self, node: ast.AST) -> ast.stmt | None:
        """The innermost statement that `node` belongs to."""
        if isinstance(node, ast.stmt):
            return node
        return next((one for one in self.ancestors(node) if isinstance(one, ast.stmt)), None)

    def scope(self, node: ast.AST) -> Scope:
        """The scope in which `node` is evaluated; for a function its own defaults count outside."""
        inner = node
        for outer in self.ancestors(node):
            scope = self.scopes.of(outer)
            if scope is not None and scope.holds(inner):
                return scope
            inner = outer
        return self.scopes.module

    def function_scope(self, node: ast.AST) -> Scope:
        """The innermost scope of `node` that statements can stand in."""
        scope = self.scope(node)
        while scope.parent is not None and isinstance(
            scope.node, (ast.Lambda, *Scopes.COMPREHENSIONS)
        ):
            scope = scope.parent
        return scope

    def value(self, node: ast.AST) -> tuple[Value, ...]:
        """The alternatives for the value of an expression; () where it was never evaluated."""
        span = self.span(node)
        found = self.seen.get((type(node).__name__, span.start, span.end))
        return options(found[0]) if found is not None else ()

    def before(self, *version: int) -> bool:
        """True when the installed JAX is known to be older than `version`."""
        return self.version is not None and self.version[: len(version)] < version

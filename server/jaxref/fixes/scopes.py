"""Which scope binds and reads which names."""

from __future__ import annotations

import ast
from collections.abc import Iterator


class Scope:
    """A module, class, function, lambda or comprehension.

    `bound` holds the nodes that bind each name here, `read` the places where a name is read, those
    in inner scopes that do not bind it included. Names declared `global` or `nonlocal` are not
    bound here.
    """

    __slots__ = ("bound", "declared", "inner", "node", "parent", "read")

    def __init__(self, node: ast.AST, parent: Scope | None) -> None:
        self.node = node
        self.parent = parent
        self.bound: dict[str, list[ast.AST]] = {}
        self.read: dict[str, list[ast.Name]] = {}
        self.declared: set[str] = set()
        self.inner: list[Scope] = []

    def holds(self, child: ast.AST) -> bool:
        """True when `child`, a direct child of the scope's node, is evaluated in the scope."""
        node = self.node
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef)):
            return child in node.body
        if isinstance(node, ast.Lambda):
            return child is node.body
        if isinstance(node, Scopes.COMPREHENSIONS):
            # The first iterable is evaluated outside; the generators' other parts are not told apart.
            return child is not node.generators[0]
        return True

    def around(self) -> Iterator[Scope]:
        """This scope and those whose names it sees, the innermost first."""
        yield self
        scope = self.parent
        while scope is not None:
            if not isinstance(scope.node, ast.ClassDef):
                yield scope
            scope = scope.parent

    def binder(self, name: str) -> Scope | None:
        """The scope whose binding a read of `name` here sees."""
        return next((scope for scope in self.around() if name in scope.bound), None)


class Scopes:
    """The scopes of a module, by their nodes."""

    COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

    def __init__(self, tree: ast.Module) -> None:
        self.module = Scope(tree, None)
        self._by_node: dict[ast.AST, Scope] = {tree: self.module}
        for statement in tree.body:
            self._visit(statement, self.module)
        for scope in list(self._by_node.values())[::-1]:
            self._hand_up(scope)

    def of(self, node: ast.AST) -> Scope | None:
        """The scope that `node` opens."""
        return self._by_node.get(node)

    def _open(self, node: ast.AST, parent: Scope) -> Scope:
        scope = self._by_node[node] = Scope(node, parent)
        parent.inner.append(scope)
        return scope

    def _hand_up(self, scope: Scope) -> None:
        """What an inner scope reads without binding it, an outer one is read for. Innermost first."""
        parent = scope.parent
        if parent is None:
            return
        for name, places in scope.read.items():
            if name not in scope.bound:
                parent.read.setdefault(name, []).extend(places)

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(scope, node.name, node)
                for outside in (*node.decorator_list, *_defaults(node.args), *_annotations(node)):
                    self._visit(outside, scope)
                inner = self._open(node, scope)
                self._parameters(node.args, inner)
                for statement in node.body:
                    self._visit(statement, inner)
            case ast.Lambda():
                for outside in _defaults(node.args):
                    self._visit(outside, scope)
                inner = self._open(node, scope)
                self._parameters(node.args, inner)
                self._visit(node.body, inner)
            case ast.ClassDef():
                self._bind(scope, node.name, node)
                for part in (*node.decorator_list, *node.bases, *node.keywords):
                    self._visit(part, scope)
                inner = self._open(node, scope)
                for statement in node.body:
                    self._visit(statement, inner)
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._visit(node.generators[0].iter, scope)
                inner = self._open(node, scope)
                for index, generator in enumerate(node.generators):
                    if index:
                        self._visit(generator.iter, inner)
                    self._visit(generator.target, inner)
                    for condition in generator.ifs:
                        self._visit(condition, inner)
                if isinstance(node, ast.DictComp):
                    self._visit(node.key, inner)
                    self._visit(node.value, inner)
                else:
                    self._visit(node.elt, inner)
            case ast.NamedExpr():
                target = scope
                while target.parent is not None and isinstance(target.node, self.COMPREHENSIONS):
                    target = target.parent
                self._bind(target, node.target.id, node.target)
                self._visit(node.value, scope)
            case ast.Global() | ast.Nonlocal():
                scope.declared.update(node.names)
                if isinstance(node, ast.Global):
                    for name in node.names:
                        self.module.bound.setdefault(name, []).append(node)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self._bind(scope, alias.asname or alias.name.partition(".")[0], alias)
            case ast.Name():
                if isinstance(node.ctx, ast.Load):
                    scope.read.setdefault(node.id, []).append(node)
                else:
                    self._bind(scope, node.id, node)
            case ast.ExceptHandler():
                if node.name:
                    self._bind(scope, node.name, node)
                self._children(node, scope)
            case ast.MatchAs() | ast.MatchStar():
                if node.name:
                    self._bind(scope, node.name, node)
                self._children(node, scope)
            case ast.MatchMapping():
                if node.rest:
                    self._bind(scope, node.rest, node)
                self._children(node, scope)
            case ast.AugAssign():
                if isinstance(node.target, ast.Name):
                    scope.read.setdefault(node.target.id, []).append(node.target)
                self._children(node, scope)
            case _:
                self._children(node, scope)

    def _children(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _parameters(self, spec: ast.arguments, scope: Scope) -> None:
        for parameter in _all_parameters(spec):
            self._bind(scope, parameter.arg, parameter)

    def _bind(self, scope: Scope, name: str, node: ast.AST) -> None:
        if name not in scope.declared:
            scope.bound.setdefault(name, []).append(node)


def _all_parameters(spec: ast.arguments) -> list[ast.arg]:
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    return named + [star for star in (spec.vararg, spec.kwarg) if star is not None]


def _defaults(spec: ast.arguments) -> list[ast.expr]:
    return [*spec.defaults, *(default for default in spec.kw_defaults if default is not None)]


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    found = [p.annotation for p in _all_parameters(node.args) if p.annotation is not None]
    return found + ([node.returns] if node.returns is not None else [])

"""Which scope binds and reads which names."""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterator, Mapping, Sequence

from jaxref.source.text import Text
from jaxref.source.walking import statements_on


class Scope:
    """A module, class, function, lambda or comprehension.

    `look` finds what is in it, when that is asked for first.
    """

    __slots__ = ("_bound", "_declared", "_inner", "_look", "_read", "node", "parent")

    def __init__(
        self, node: ast.AST, parent: Scope | None, look: Callable[[Scope], None] | None = None
    ) -> None:
        self.node = node
        self.parent = parent
        self._look = look
        self._bound: dict[str, list[ast.AST]] = {}
        self._read: dict[str, list[ast.Name]] = {}
        self._declared: set[str] = set()
        self._inner: list[Scope] = []

    @property
    def bound(self) -> dict[str, list[ast.AST]]:
        """The nodes that bind each name here; not those declared `global` or `nonlocal`."""
        self.look()
        return self._bound

    @property
    def read(self) -> Mapping[str, list[ast.Name]]:
        """The places where a name is read, those in inner scopes that do not bind it included."""
        self.look()
        return self._read

    @property
    def declared(self) -> set[str]:
        """The names declared `global` or `nonlocal`."""
        self.look()
        return self._declared

    @property
    def inner(self) -> list[Scope]:
        """The scopes directly in it."""
        self.look()
        return self._inner

    @property
    def waits(self) -> bool:
        """Whether the code in it is still to be looked at."""
        return self._look is not None

    def look(self) -> None:
        """Look at the code in it, unless that was done."""
        look, self._look = self._look, None
        if look is not None:
            look(self)

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


class _Module(Scope):
    """A module, all of whose code would have to be looked at for what it reads."""

    __slots__ = ("_reads",)

    def __init__(self, tree: ast.Module, scopes: Scopes) -> None:
        super().__init__(tree, None)
        self._reads = _ModuleReads(scopes)

    @property
    def read(self) -> Mapping[str, list[ast.Name]]:
        """See `Scope.read`."""
        return self._reads


class _ModuleReads(Mapping[str, "list[ast.Name]"]):
    """Where a module reads names: for one, code is looked at where the text has its word."""

    def __init__(self, scopes: Scopes) -> None:
        self._scopes = scopes

    def __getitem__(self, name: str) -> list[ast.Name]:
        module = self._scopes.module
        self._scopes.look_for(name)
        found = list(module._read.get(name, ()))
        for scope in reversed(module.inner):
            if not scope.waits and name not in scope.bound:
                found += scope.read.get(name, ())
        if not found:
            raise KeyError(name)
        return found

    def __iter__(self) -> Iterator[str]:
        module = self._scopes.module
        names = dict.fromkeys(module._read)
        for scope in reversed(module.inner):
            names.update(dict.fromkeys(name for name in scope.read if name not in scope.bound))
        return iter(names)

    def __len__(self) -> int:
        return len(list(iter(self)))


class Scopes:
    """The scopes of a module, by their nodes. `text` is what `tree` was parsed from.

    What is in functions and classes of the top level is looked at when it is asked for.
    """

    COMPREHENSIONS = (ast.ListComp, ast.SetComp, ast.DictComp, ast.GeneratorExp)

    def __init__(self, tree: ast.Module, text: Text) -> None:
        self._tree = tree
        self._text = text
        self.module: Scope = _Module(tree, self)
        self._by_node: dict[ast.AST, Scope] = {tree: self.module}
        self._waiting: dict[ast.stmt, list[Scope]] = {}
        # The module binds what functions declare global.
        self._is_patient = "global" not in text.content
        for statement in tree.body:
            self._statement = statement
            self._visit(statement, self.module)

    def of(self, node: ast.AST) -> Scope | None:
        """The scope that `node` opens."""
        line = getattr(node, "lineno", None)
        if line is not None and node not in self._by_node:
            self._look_on(line)
        return self._by_node.get(node)

    def look_for(self, name: str) -> None:
        """Look at all code that may have to do with a name."""
        content = self._text.content
        if not content.isascii():
            # Names are compared in a form of which the text may have another.
            for scope in self.module.inner:
                scope.look()
        at = content.find(name)
        while at >= 0:
            self._look_on(self._text.line_index(at) + 1)
            at = content.find(name, at + len(name))

    def _look_on(self, line: int) -> None:
        for statement in statements_on(self._tree, line):
            for scope in self._waiting.pop(statement, ()):
                scope.look()

    def _open(self, node: ast.AST, parent: Scope, visit: Callable[[Scope], None]) -> None:
        """Open a scope. `visit` visits what is in it."""

        def look(scope: Scope) -> None:
            visit(scope)
            for inner in reversed(scope.inner):
                # What it reads without binding it, the outer one is read for.
                for name, places in inner.read.items():
                    if name not in inner.bound:
                        scope._read.setdefault(name, []).extend(places)

        scope = self._by_node[node] = Scope(node, parent, look)
        parent._inner.append(scope)
        # A comprehension may bind names of the scope around it.
        is_own = not isinstance(node, self.COMPREHENSIONS)
        if self._is_patient and parent is self.module and is_own:
            self._waiting.setdefault(self._statement, []).append(scope)
        else:
            scope.look()

    def _visit(self, node: ast.AST, scope: Scope) -> None:
        match node:
            case ast.FunctionDef() | ast.AsyncFunctionDef():
                self._bind(scope, node.name, node)
                for outside in (*node.decorator_list, *_defaults(node.args), *_annotations(node)):
                    self._visit(outside, scope)
                self._open(node, scope, lambda inner: self._body(node.body, inner, node.args))
            case ast.Lambda():
                for outside in _defaults(node.args):
                    self._visit(outside, scope)
                self._open(node, scope, lambda inner: self._body([node.body], inner, node.args))
            case ast.ClassDef():
                self._bind(scope, node.name, node)
                for part in (*node.decorator_list, *node.bases, *node.keywords):
                    self._visit(part, scope)
                self._open(node, scope, lambda inner: self._body(node.body, inner))
            case ast.ListComp() | ast.SetComp() | ast.DictComp() | ast.GeneratorExp():
                self._visit(node.generators[0].iter, scope)
                self._open(node, scope, lambda inner: self._comprehension(node, inner))
            case ast.NamedExpr():
                target = scope
                while target.parent is not None and isinstance(target.node, self.COMPREHENSIONS):
                    target = target.parent
                self._bind(target, node.target.id, node.target)
                self._visit(node.value, scope)
            case ast.Global() | ast.Nonlocal():
                scope._declared.update(node.names)
                if isinstance(node, ast.Global):
                    for name in node.names:
                        self.module._bound.setdefault(name, []).append(node)
            case ast.Import() | ast.ImportFrom():
                for alias in node.names:
                    self._bind(scope, alias.asname or alias.name.partition(".")[0], alias)
            case ast.Name():
                if isinstance(node.ctx, ast.Load):
                    scope._read.setdefault(node.id, []).append(node)
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
                    scope._read.setdefault(node.target.id, []).append(node.target)
                self._children(node, scope)
            case _:
                self._children(node, scope)

    def _body(
        self, body: Sequence[ast.AST], scope: Scope, parameters: ast.arguments | None = None
    ) -> None:
        for parameter in () if parameters is None else _all_parameters(parameters):
            self._bind(scope, parameter.arg, parameter)
        for statement in body:
            self._visit(statement, scope)

    def _comprehension(
        self, node: ast.ListComp | ast.SetComp | ast.DictComp | ast.GeneratorExp, scope: Scope
    ) -> None:
        for index, generator in enumerate(node.generators):
            if index:
                self._visit(generator.iter, scope)
            self._visit(generator.target, scope)
            for condition in generator.ifs:
                self._visit(condition, scope)
        parts = (node.key, node.value) if isinstance(node, ast.DictComp) else (node.elt,)
        for part in parts:
            self._visit(part, scope)

    def _children(self, node: ast.AST, scope: Scope) -> None:
        for child in ast.iter_child_nodes(node):
            self._visit(child, scope)

    def _bind(self, scope: Scope, name: str, node: ast.AST) -> None:
        if name not in scope._declared:
            scope._bound.setdefault(name, []).append(node)


def _all_parameters(spec: ast.arguments) -> list[ast.arg]:
    named = [*spec.posonlyargs, *spec.args, *spec.kwonlyargs]
    return named + [star for star in (spec.vararg, spec.kwarg) if star is not None]


def _defaults(spec: ast.arguments) -> list[ast.expr]:
    return [*spec.defaults, *(default for default in spec.kw_defaults if default is not None)]


def _annotations(node: ast.FunctionDef | ast.AsyncFunctionDef) -> list[ast.expr]:
    found = [p.annotation for p in _all_parameters(node.args) if p.annotation is not None]
    return found + ([node.returns] if node.returns is not None else [])

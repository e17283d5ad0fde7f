"""Imports: of modules of the project and of packages whose source is read, and of the rest by name."""

from __future__ import annotations

import ast

from jaxref.domain.heap import Scope
from jaxref.domain.values import UNKNOWN, Const, ListV, ModuleV, Symbol, Tuple, Unknown, Value
from jaxref.interp.interest import Interest
from jaxref.interp.machine import (
    MAX_IMPORT_STEPS,
    MAX_MODULE_STEPS,
    BudgetExceeded,
    Frame,
    Machine,
    Module,
)
from jaxref.jaxmodel import symbols
from jaxref.jaxmodel.history import exists
from jaxref.jaxmodel.registry import canonical
from jaxref.resolve.modules import MAX_MODULES
from jaxref.source.text import Text

MAX_IMPORT_DEPTH = 12
NEAR_IMPORTS = 1
"""Modules imported by modules that many imports away are read only for what they know of refs."""


def load_module(m: Machine, name: str, from_path: str, level: int) -> ModuleV | None:
    """A module of the project or of an installed package, evaluated once; None when it is not read."""
    if level == 0 and name.split(".", 1)[0] in ("jax", "numpy", "jaxlib"):
        return None
    source = m.resolver.module(name, from_path, level)
    if source is None:
        return None
    known = m.modules.get(source.path)
    # One that was read on a path that ended, as before a `raise`, went with it.
    if known is not None and known.scope in m.st.objects:
        return ModuleV(known.scope, known.path, known.name)
    if known is None and source.path in m.modules:
        return None
    used: int = m.memo.get(("import steps",), 0)
    depth: int = m.memo.get(("import depth",), 0)
    if depth > MAX_IMPORT_DEPTH or used > MAX_IMPORT_STEPS:
        return None
    if depth > NEAR_IMPORTS and not m.module.is_package and not m.resolver.reach.of(source):
        return None
    m.modules[source.path] = None
    tree = m.resolver.parsed(source)
    if tree is None:
        return None
    scope = m.allocate(
        Scope(0, {"__name__": Const(source.name), "__file__": Const(source.path)}, "module")
    )
    module = Module(
        source.path, source.name, Text(source.text), tree, scope, False, source.is_package
    )
    m.modules[source.path] = module
    limit, start = m.entry_limit, m.steps
    m.entry_limit = min(limit, m.steps + MAX_MODULE_STEPS)
    m.memo[("import depth",)] = depth + 1
    try:
        run_module(m, module)
    finally:
        m.memo[("import depth",)] = depth
        m.entry_limit = limit
    if not depth:
        m.memo[("import steps",)] = used + m.steps - start
    return ModuleV(scope, source.path, source.name)


def interest_of(m: Machine, module: Module) -> Interest:
    """What of a module can have to do with refs."""
    if module.interest is None:
        module.interest = interest_in(m, module.path, module.tree, module.text)
    return module.interest


def interest_in(m: Machine, path: str, tree: ast.Module, text: Text | None) -> Interest:
    """What of a tree can have to do with refs; `text` is None where its places are not those of the tree."""
    known: dict[str, Interest] = m.memo.setdefault(("interests",), {})
    if path not in known:
        known[path] = Interest(tree, lambda name, level: _names_in(m, name, path, level), text)
    return known[path]


def _names_in(m: Machine, name: str, from_path: str, level: int) -> frozenset[str]:
    """The names of interest in a module; none where modules import each other, and in too many."""
    source = m.resolver.module(name, from_path, level)
    known: dict[str, frozenset[str]] = m.memo.setdefault(("names of interest",), {})
    if source is None:
        return frozenset()
    if source.path not in known:
        known[source.path] = frozenset()
        if len(known) <= MAX_MODULES and m.resolver.reach.of(source):
            tree = m.resolver.parsed(source)
            if tree is not None:
                text = Text(source.text)
                known[source.path] = interest_in(m, source.path, tree, text).names
    return known[source.path]


def run_module(m: Machine, module: Module) -> None:
    """Evaluate a module's top level. The traces and handlers of the importer do not reach into it."""
    from jaxref.interp.statements import execute

    frames, traces, logs, ways = m.frames, m.traces, m.logs, m.alternatives
    m.frames, m.traces, m.logs, m.alternatives = (
        [Frame(module, module.scope, module.tree)],
        [],
        [],
        [],
    )
    try:
        for statement in module.tree.body:
            if not m.st.live:
                break
            execute(m, [statement])
    except BudgetExceeded:
        m.incomplete.append(
            f"{module.path}: too much to evaluate, the rest of the module is unknown"
        )
    finally:
        m.frames, m.traces, m.logs, m.alternatives = frames, traces, logs, ways
        m.st.live = True


def _bind(m: Machine, name: str, value: Value) -> None:
    """Bind an imported name. A fallback in `except ImportError` does not undo the import that works."""
    old = m.look_up(name)
    if isinstance(old, Symbol) and isinstance(value, Symbol) and m.frame.uncertain:
        m.bind(
            name,
            old if exists(m, old.name) and not exists(m, value.name) else value,
        )
        return
    m.bind(name, value)


def import_statement(m: Machine, node: ast.Import) -> None:
    """`import a.b as c`."""
    for alias in node.names:
        path = m.module.path
        if alias.asname is not None:
            module = load_module(m, alias.name, path, 0)
            _bind(m, alias.asname, module or Symbol(canonical(alias.name)))
        else:
            top = alias.name.split(".", 1)[0]
            module = load_module(m, top, path, 0)
            if "." in alias.name:
                load_module(m, alias.name, path, 0)
            _bind(m, top, module or Symbol(canonical(top)))


def import_from_statement(m: Machine, node: ast.ImportFrom) -> None:
    """`from a.b import c as d`, `from . import c`, `from a import *`."""
    name = node.module or ""
    path = m.module.path
    module = load_module(m, name, path, node.level)
    for alias in node.names:
        if alias.name == "*":
            if module is not None:
                _star(m, module)
            continue
        bound = alias.asname or alias.name
        if module is not None:
            value = m.scope(module.scope).names.get(alias.name)
            if value is None:
                inner = load_module(
                    m, f"{name}.{alias.name}" if name else alias.name, path, node.level
                )
                value = inner if inner is not None else UNKNOWN
            m.bind(bound, value)
        elif node.level:
            inner = load_module(m, f"{name}.{alias.name}" if name else alias.name, path, node.level)
            m.bind(bound, inner if inner is not None else Unknown(f"import of {alias.name}"))
        else:
            inner = load_module(m, f"{name}.{alias.name}", path, 0)
            if inner is not None:
                m.bind(bound, inner)
                continue
            symbol = symbols.attribute(m, canonical(name), alias.name, node)
            _bind(m, bound, symbol)


def _star(m: Machine, module: ModuleV) -> None:
    names = m.scope(module.scope).names
    listed = names.get("__all__")
    wanted: list[str] | None = None
    if isinstance(listed, (ListV, Tuple)):
        items = m.items(listed).exact
        if items is not None and all(isinstance(item, Const) for item in items):
            wanted = [str(item.value) for item in items if isinstance(item, Const)]
    for key, value in list(names.items()):
        if (wanted is None and not key.startswith("_")) or (wanted is not None and key in wanted):
            m.bind(key, value)

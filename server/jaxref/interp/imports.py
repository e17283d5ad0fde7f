"""Imports: of modules of the project and of packages whose source is read, and of the rest by name."""

from __future__ import annotations

import ast

from jaxref.domain.heap import Scope
from jaxref.domain.values import UNKNOWN, Const, ListV, ModuleV, Symbol, Tuple, Unknown, Value
from jaxref.interp.interest import MAX_MODULES, Interest, imports_in, speaks_of_refs
from jaxref.interp.machine import BudgetExceeded, Frame, Machine, Module
from jaxref.jaxmodel import symbols
from jaxref.jaxmodel.history import exists
from jaxref.jaxmodel.registry import canonical
from jaxref.source.text import Text

MAX_IMPORT_DEPTH = 12


def load_module(m: Machine, name: str, from_path: str, level: int) -> ModuleV | None:
    """A module of the project or of an installed package, evaluated once; None when it is not read."""
    if level == 0 and name.split(".", 1)[0] in ("jax", "numpy", "jaxlib"):
        return None
    source = m.resolver.module(name, from_path, level)
    if source is None:
        return None
    known = m.modules.get(source.path)
    if known is not None:
        return ModuleV(known.scope, known.path, known.name)
    if source.path in m.modules:
        return None
    m.modules[source.path] = None
    tree = m.resolver.parsed(source)
    if (
        tree is None
        or sum(isinstance(frame.node, ast.Module) for frame in m.frames) > MAX_IMPORT_DEPTH
    ):
        return None
    scope = m.allocate(
        Scope(0, {"__name__": Const(source.name), "__file__": Const(source.path)}, "module")
    )
    module = Module(
        source.path, source.name, Text(source.text), tree, scope, False, source.is_package
    )
    m.modules[source.path] = module
    run_module(m, module)
    return ModuleV(scope, source.path, source.name)


def interest_of(m: Machine, module: Module) -> Interest:
    """What of a module can have to do with refs."""
    if module.interest is None:

        def imported(name: str, level: int) -> bool:
            return _can_bring_refs(m, name, module.path, level)

        module.interest = Interest(module.tree, imported)
    return module.interest


def _can_bring_refs(m: Machine, name: str, from_path: str, level: int) -> bool:
    """Whether a module, or one that it imports, speaks of refs. True where there are too many."""
    waiting = [m.resolver.module(name, from_path, level)]
    verdicts: dict[str, bool] = m.memo.setdefault(("speaks",), {})
    seen: set[str] = set()
    while waiting:
        source = waiting.pop()
        if source is None or source.path in seen:
            continue
        seen.add(source.path)
        known = verdicts.get(source.path)
        if known is None:
            readable = m.resolver.is_worth_reading(source)
            known = verdicts[source.path] = readable and speaks_of_refs(source.text)
            if not readable:
                continue
        if known or len(seen) > MAX_MODULES:
            return True
        for module, dots, wanted in imports_in(source.text):
            waiting.append(m.resolver.module(module, source.path, dots))
            inner = waiting[-1]
            if inner is not None and inner.is_package:
                prefix = f"{module}." if module else ""
                waiting += [m.resolver.module(prefix + one, source.path, dots) for one in wanted]
    return False


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

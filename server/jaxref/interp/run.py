"""A whole run: the module as it would be executed, then every function that nobody called."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Container

from jaxref.diagnostics.failures import failure
from jaxref.domain.heap import Attributes, Scope
from jaxref.domain.values import (
    UNKNOWN,
    ClassV,
    Const,
    Function,
    Instance,
    Unknown,
    Value,
    join,
)
from jaxref.facts import Binding, BindingUnused, Site, VjpInfo
from jaxref.interp.calls import call_function
from jaxref.interp.classes import open_container, some_instance
from jaxref.interp.imports import interest_in, interest_of
from jaxref.interp.machine import (
    MAX_ENTRY_STEPS,
    MAX_FILE_STEPS,
    BudgetExceeded,
    Cancelled,
    Frame,
    Machine,
    Module,
)
from jaxref.interp.notes import Notes
from jaxref.interp.parts import Part, Parts, Position
from jaxref.interp.statements import execute
from jaxref.jaxmodel.registry import Call
from jaxref.resolve.resolver import Resolver
from jaxref.source.text import Text
from jaxref.source.walking import walk

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Protocol

    class Reuse(Protocol):
        """Who keeps entries from one run to the next. Nothing of it is called in a run that ends early."""

        def first_id(self) -> int:
            """The id from which on the machine is to count."""

        def statement_begins(self, m: Machine) -> None:
            """A statement of the top level is about to be executed."""

        def statement_ends(self, m: Machine) -> None:
            """It was executed, as far as it could be."""

        def module_ends(self, m: Machine) -> None:
            """The top level was executed; what nobody called is entered next."""

        def kept_entry(self, m: Machine, function: Function) -> Part | None:
            """An entry that need not be made now; None for one to be made."""

        def entry_begins(self, m: Machine) -> None:
            """A function that nobody called is about to be entered."""

        def entry_ends(self, m: Machine, part: Part) -> None:
            """It was entered, and so were those that it defines."""


COUNTERS = (("foreign steps",), ("import steps",))
"""Notes of what was spent in functions of other modules, and on importing them."""

_GLOBAL = r"(?m)(?:^|[:;])[ \t]*global[ \t\\]"
"""Where a `global` statement may be: far quicker than looking at all nodes."""


def is_of_interest(path: str, text: Text, body: list[ast.stmt], resolver: Resolver) -> bool:
    """Whether `run` would find anything to evaluate in a module with these statements, wherever they stand."""
    m = Machine(resolver, lambda fact: None)
    module = Module(
        path, "__main__", text, ast.Module(body, []), m.allocate(Scope(0, {}, "module")), True
    )
    m.frames.append(Frame(module, module.scope, module.tree))
    return interest_in(m, path, module.tree, None).anything


def run(
    path: str,
    name: str,
    text: Text,
    tree: ast.Module,
    resolver: Resolver,
    cancel: Callable[[], bool] = lambda: False,
    reuse: Reuse | None = None,
) -> tuple[Machine, Parts]:
    """Evaluate a module. Returns the machine, and what was found.

    `reuse` is told of the entries that are made, and asked for those that need not be made.
    """
    own = Part()
    m = Machine(resolver, own.facts.append, cancel, 1 if reuse is None else reuse.first_id())
    m.seen = own.seen
    names: dict[str, Value] = {
        "__name__": Const("__main__"),
        "__file__": Const(path),
        "__doc__": UNKNOWN,
    }
    scope = m.allocate(Scope(0, names, "module"))
    module = Module(path, name, text, tree, scope, True)
    m.modules[path] = module
    m.frames.append(Frame(module, scope, tree))
    parts = [own]
    if not interest_of(m, module).anything:
        return m, Parts(module, parts, m.fresh_id(), lambda part: None)
    for statement in tree.body:
        if not m.st.live:
            # The rest of a module behind `sys.exit()` or a raise is not run.
            break
        if reuse is not None:
            reuse.statement_begins(m)
        _guarded(m, lambda statement=statement: execute(m, [statement]))  # type: ignore[misc]
        if reuse is not None:
            reuse.statement_ends(m)
    m.st.live = True
    m.running = False
    _open_module(m, module)
    own.functions = frozenset(m.entered)
    if reuse is not None:
        reuse.module_ends(m)
    first_id, steps = m.fresh_id(), m.steps
    counters = {key: m.memo.get(key, 0) for key in COUNTERS}
    _enter_uncalled(m, parts, reuse)
    last = Part()
    m.sink = last.facts.append
    _state_unused_bindings(m, m.notes)
    parts.append(last)

    def make(part: Part) -> None:
        m.steps = steps
        m.memo.update(counters)
        # It came to something before: what fails now is to be told of.
        m.strict = True
        try:
            _make(m, part, own.functions)
        except BaseException:
            part.facts.clear()
            part.seen.clear()
            raise

    return m, Parts(module, parts, first_id, make)


def _guarded(m: Machine, work: Callable[[], object]) -> None:
    """One entry into the program: its budget and its errors are its own."""
    if m.steps > MAX_FILE_STEPS:
        if not any("steps" in line for line in m.incomplete):
            m.incomplete.append(
                f"{m.frames[0].module.path}: more than {MAX_FILE_STEPS} steps, the rest is unknown"
            )
        return
    m.entry_limit, m.given_up = m.steps + MAX_ENTRY_STEPS, 0
    frames = len(m.frames)
    try:
        work()
    except BudgetExceeded:
        m.incomplete.append(
            f"{m.frames[0].module.path}: an entry took more than {MAX_ENTRY_STEPS} steps"
        )
    except RecursionError:
        m.incomplete.append(f"{m.frames[0].module.path}: nested too deeply")
    except Cancelled:
        raise
    except Exception as error:
        # What goes wrong in one entry costs that entry only.
        if m.strict:
            raise
        m.failures.append(failure("evaluating an entry", error))
    finally:
        del m.frames[frames:]
        m.traces.clear()
        m.logs.clear()
        m.alternatives.clear()
        frame = m.frames[0]
        frame.loops.clear()
        frame.catching.clear()
        frame.raised.clear()
        frame.uncertain = 0
        frame.scope = frame.module.scope


def _enter_uncalled(m: Machine, parts: list[Part], reuse: Reuse | None) -> None:
    """Enter each function that nobody called once, with what is known of its parameters."""
    entered = set(parts[0].functions)
    for function in m.defined.values():
        if not _is_to_enter(m, function, entered):
            continue
        part = None if reuse is None else reuse.kept_entry(m, function)
        if part is None:
            part = Part(function)
            if reuse is not None:
                reuse.entry_begins(m)
            _make(m, part, parts[0].functions)
            if reuse is not None:
                reuse.entry_ends(m, part)
        parts.append(part)
        entered |= part.functions


def _make(m: Machine, part: Part, by_module: frozenset[Position]) -> None:
    """Enter a function that nobody called, with the heap and the notes that the module left behind,
    whatever was entered before."""
    assert part.function is not None
    notes = m.notes
    m.notes, m.entered = Notes(notes), set()
    m.sink, m.seen = part.facts.append, part.seen
    m.recent.clear()
    try:
        _enter_with_inner(m, part.function, by_module)
        _state_unused_bindings(m, m.notes)
        loaded = m.notes.get("loaded")
    finally:
        m.notes = notes
    if loaded is not None:
        notes.changing("loaded", set).update(loaded)
    part.functions = frozenset(m.entered)
    part.is_made = True


def _is_to_enter(m: Machine, function: Function, entered: Container[tuple[int, int]]) -> bool:
    node = function.node
    if isinstance(node, ast.Lambda) or (node.lineno, node.col_offset) in entered:
        return False
    return interest_of(m, function.module).of(node)


def _enter_with_inner(
    m: Machine, function: Function, by_module: frozenset[tuple[int, int]]
) -> None:
    """Enter a function, and those that it defines and that neither it nor the module calls."""
    saved, around = m.st, m.defined
    m.entry = m.fence = m.fresh_id()
    m.st, m.defined = saved.fork(), {}
    try:
        _guarded(m, lambda: _enter(m, function))
        m.st.live = True
        # What it defined sees its variables as it left them.
        for inner in m.defined.values():
            if _is_to_enter(m, inner, m.entered | by_module):
                _enter_with_inner(m, inner, by_module)
    finally:
        m.st, m.defined = saved, around


def _open_module(m: Machine, module: Module) -> None:
    """What other functions may have done to the module's globals before a function is entered."""
    changed: set[str] = set()
    content = module.text.content
    if "global" in content and re.search(_GLOBAL, content) is not None:
        for node in walk(module.tree):
            if isinstance(node, ast.Global):
                changed.update(node.names)
    scope = m.scope(module.scope)
    for name, value in list(scope.names.items()):
        if name in changed:
            m.st.bind(
                module.scope,
                name,
                join(value, UNKNOWN) if not isinstance(value, Unknown) else value,
            )
        else:
            open_container(m, value)


def _enter(m: Machine, function: Function) -> None:
    node = function.node
    cls = m.owner_of(node)
    if not _is_reachable(m, function) or (isinstance(cls, ClassV) and cls.id not in m.st.objects):
        return
    args: tuple[Value, ...] = ()
    if isinstance(cls, ClassV) and not _is_static(node):
        receiver = _receiver(m, cls, node)
        if receiver is None:
            return
        args = (receiver,)
    if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef)):
        # Defaults say what a parameter may be, not what it is.
        open_call = Call(node, args, {}, True, (None,) * len(args))
        call_function(m, function, open_call, args[0] if args else None)


def _is_reachable(m: Machine, function: Function) -> bool:
    """False for a function whose variables went with a path that ended, e.g. before a `raise`."""
    key = function.scope
    while key:
        scope = m.st.objects.get(key)
        if scope is None:
            return False
        key = scope.parent
    return True


def _is_static(node: ast.AST) -> bool:
    decorators = getattr(node, "decorator_list", [])
    return any(isinstance(d, ast.Name) and d.id == "staticmethod" for d in decorators)


def _receiver(m: Machine, cls: ClassV, node: ast.AST) -> Value | None:
    """`self` (or `cls`) for a method that nobody called."""
    decorators = getattr(node, "decorator_list", [])
    if any(isinstance(d, ast.Name) and d.id == "classmethod" for d in decorators):
        return cls
    if getattr(node, "name", "") in ("__new__", "__init_subclass__"):
        return cls
    made: Value = UNKNOWN
    if getattr(node, "name", "") == "__init__":
        made = Instance(m.allocate(Attributes({}, True)), cls)
    else:
        made = some_instance(m, cls, node)
    return made


def _state_unused_bindings(m: Machine, notes: Notes) -> None:
    """State the bound VJPs of the module, or of one entry, that were given a name which nobody read."""
    for key, (site, info, binding) in unread_bindings(notes).items():
        if notes.get(("named", key)):
            m.sink(BindingUnused(site, info, binding))


def unread_bindings(notes: Notes) -> dict[int, tuple[Site, VjpInfo, Binding]]:
    """The bound VJPs of which nobody has read the name: the site, the VJP and its binding, by id."""
    loaded = notes.get("loaded", ())
    return {key: bound for key, bound in notes.own("bound").items() if key not in loaded}

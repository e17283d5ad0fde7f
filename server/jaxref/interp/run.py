"""A whole run: the module as it would be executed, then every function that nobody called."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable
from itertools import islice

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
from jaxref.facts import BindingUnused, Fact
from jaxref.interp.calls import call_function
from jaxref.interp.classes import open_container, some_instance
from jaxref.interp.imports import interest_of
from jaxref.interp.machine import (
    MAX_ENTRY_STEPS,
    MAX_FILE_STEPS,
    BudgetExceeded,
    Cancelled,
    Frame,
    Machine,
    Module,
)
from jaxref.interp.statements import execute
from jaxref.jaxmodel.registry import Call
from jaxref.resolve.resolver import Resolver
from jaxref.source.text import Text
from jaxref.source.walking import walk

_GLOBAL = re.compile(r"(?:^|[:;])[ \t]*global[ \t\\]", re.MULTILINE)
"""Where a `global` statement may be: far quicker than looking at all nodes."""


def run(
    path: str,
    name: str,
    text: Text,
    tree: ast.Module,
    resolver: Resolver,
    sink: Callable[[Fact], None],
    cancel: Callable[[], bool] = lambda: False,
) -> Machine:
    """Evaluate a module and state its facts to `sink`. Returns the machine, for the values it saw."""
    m = Machine(resolver, sink, cancel)
    names: dict[str, Value] = {
        "__name__": Const("__main__"),
        "__file__": Const(path),
        "__doc__": UNKNOWN,
    }
    scope = m.allocate(Scope(0, names, "module"))
    module = Module(path, name, text, tree, scope, True)
    m.modules[path] = module
    m.frames.append(Frame(module, scope, tree))
    if not interest_of(m, module).anything:
        return m
    for statement in tree.body:
        if not m.st.live:
            # The rest of a module behind `sys.exit()` or a raise is not run.
            break
        _guarded(m, lambda statement=statement: execute(m, [statement]))  # type: ignore[misc]
    m.st.live = True
    m.running = False
    _enter_uncalled(m, module)
    _state_unused_bindings(m)
    return m


def _guarded(m: Machine, work: Callable[[], object]) -> None:
    """One entry into the program: its budget and its errors are its own."""
    if m.steps > MAX_FILE_STEPS:
        if not any("steps" in line for line in m.incomplete):
            m.incomplete.append(
                f"{m.frames[0].module.path}: more than {MAX_FILE_STEPS} steps, the rest is unknown"
            )
        return
    m.entry_limit = m.steps + MAX_ENTRY_STEPS
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


def _enter_uncalled(m: Machine, module: Module) -> None:
    """Enter each function that nobody called once, with what is known of its parameters."""
    defined: dict[int, Function] = m.memo.setdefault(("defined",), {})
    if all(key in m.entered for key in defined):
        return
    _open_module(m, module)
    _enter_from(m, defined, 0)


def _enter_from(m: Machine, defined: dict[int, Function], start: int) -> None:
    """Enter the functions from the `start`th that was defined on, and those that they define."""
    end = len(defined)
    for key, function in list(islice(defined.items(), start, end)):
        if key in m.entered or isinstance(function.node, ast.Lambda):
            continue
        if not interest_of(m, function.module).of(function.node):
            continue
        saved, before = m.st, len(defined)
        m.entry = m.fresh_id()
        m.st = saved.fork()
        _guarded(m, lambda function=function: _enter(m, function))  # type: ignore[misc]
        m.st.live = True
        # Functions that it defined and did not call see its variables as it left them.
        _enter_from(m, defined, before)
        m.st = saved


def _open_module(m: Machine, module: Module) -> None:
    """What other functions may have done to the module's globals before a function is entered."""
    changed: set[str] = set()
    if _GLOBAL.search(module.text.content) is not None:
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
    cls = m.memo.get(("method of", id(node)))
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


def _state_unused_bindings(m: Machine) -> None:
    """Bound VJPs that were given a name which nobody ever read."""
    loaded: set[int] = m.memo.get(("loaded",), set())
    for key, (site, info, binding) in m.memo.get(("bound",), {}).items():
        if key not in loaded and m.memo.get(("named", key)):
            m.sink(BindingUnused(site, info, binding))

"""Statements."""

from __future__ import annotations

import ast
from collections.abc import Callable, Sequence

from jaxref.domain.heap import DictObject, ListObject, State, join_states
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    ClassV,
    Const,
    DictV,
    ListV,
    Pending,
    RefValue,
    Symbol,
    Tuple,
    Unknown,
    Value,
    Vjp,
    join_all,
)
from jaxref.facts import Alternative
from jaxref.interp import assignment, classes, imports
from jaxref.interp import expressions as expressions  # fills the table of `evaluation`
from jaxref.interp.calls import apply_decorators, call_value, define_function
from jaxref.interp.evaluation import evaluate, evaluate_optional
from jaxref.interp.iteration import Items, items_of
from jaxref.interp.machine import Loop, Machine
from jaxref.interp.narrowing import assume
from jaxref.interp.operators import augmented
from jaxref.interp.plain import evaluate_outside
from jaxref.interp.truth import truth_of
from jaxref.jaxmodel import vjp
from jaxref.jaxmodel.registry import plain_call
from jaxref.source.walking import walk

EXACT_PASSES = 8
"""A loop over at most this many known items is evaluated item by item."""


def execute(m: Machine, body: Sequence[ast.stmt]) -> None:
    """Evaluate statements in order, as far as they can be reached."""
    for statement in body:
        if not m.st.live:
            return
        m.step()
        handler = _HANDLERS.get(type(statement))
        if handler is not None:
            handler(m, statement)


def _expression(m: Machine, node: ast.Expr) -> None:
    value = evaluate_outside(m, node.value)
    if isinstance(value, Vjp) and isinstance(node.value, ast.Call):
        vjp.note_discarded(m, value, node.value)


def _assign(m: Machine, node: ast.Assign) -> None:
    value = evaluate_outside(m, node.value)
    for target in node.targets:
        assignment.assign(m, target, value, node.value)


def _annotated(m: Machine, node: ast.AnnAssign) -> None:
    if node.value is not None:
        assignment.assign(m, node.target, evaluate_outside(m, node.value), node.value)


def _augmented(m: Machine, node: ast.AugAssign) -> None:
    augmented(m, node)


def _return(m: Machine, node: ast.Return) -> None:
    value = evaluate_optional(m, node.value)
    frame = m.frame
    frame.returns.append((m.st.fork(), value, m.place(node.value or node)))
    m.st.live = False


def _if(m: Machine, node: ast.If) -> None:
    verdict = truth_of(m, evaluate(m, node.test), node.test)
    if verdict is True:
        assume(m, node.test, True)
        execute(m, node.body)
    elif verdict is False:
        assume(m, node.test, False)
        execute(m, node.orelse)
    else:

        def yes() -> None:
            assume(m, node.test, True)
            execute(m, node.body)

        def no() -> None:
            assume(m, node.test, False)
            execute(m, node.orelse)

        m.branch(yes, no)


def _run_body(m: Machine, loop: Loop, body: Sequence[ast.stmt]) -> None:
    """One pass through a loop's body; the state afterwards is that at the start of the next pass."""
    mark = m.st.mark()
    loop.continues = []
    execute(m, body)
    if loop.continues:
        m.st = join_states([m.st, *loop.continues], mark)
        loop.continues = []


def _for(m: Machine, node: ast.For | ast.AsyncFor) -> None:
    iterable = evaluate(m, node.iter)
    items = items_of(m, iterable, node.iter)
    frame = m.frame
    loop = Loop()
    frame.loops.append(loop)
    mark = m.st.mark()
    try:
        if items.exact is not None and len(items.exact) <= EXACT_PASSES:
            for item in items.exact:
                if not m.st.live:
                    break
                assignment.assign(m, node.target, item, None)
                _run_body(m, loop, node.body)
            normal = m.st
        else:
            normal = _passes(m, loop, items, node)
    finally:
        frame.loops.pop()
    m.st = normal
    if node.orelse and m.st.live:
        execute(m, node.orelse)
    if loop.breaks:
        m.st = join_states([m.st, *loop.breaks], mark)


def _passes(m: Machine, loop: Loop, items: Items, node: ast.For | ast.AsyncFor) -> State:
    """Two passes as they really are, a third one that stands for all others."""
    frame = m.frame
    mark = m.st.mark()
    ends: list[State] = []
    if items.may_be_empty:
        ends.append(m.st.fork())
    frame.uncertain += 1
    try:
        for index in range(2):
            if not m.st.live:
                break
            assignment.assign(m, node.target, items.item(index), None)
            _run_body(m, loop, node.body)
            ends.append(m.st.fork())
        if m.st.live and _has_branches(m, node):
            m.st = join_states(ends, mark).fork()
            # A third pass stands for all further ones: what it alone shows holds on some passes.
            with m.alternative(Alternative(m.fresh_id(), 0, 0)):
                assignment.assign(m, node.target, items.any_item(), None)
                _run_body(m, loop, node.body)
            ends.append(m.st.fork())
    finally:
        frame.uncertain -= 1
    # A loop that is known to run twice ends at its second pass or later.
    kept = ends[-2:] if not items.may_be_empty and len(ends) >= 2 else ends
    return join_states(kept, mark) if kept else m.st


def _has_branches(m: Machine, loop: ast.For | ast.AsyncFor) -> bool:
    known: dict[ast.AST, bool] = m.memo.setdefault(("branches",), {})
    if loop not in known:
        known[loop] = any(
            isinstance(inner, ast.If) for statement in loop.body for inner in walk(statement)
        )
    return known[loop]


def _while(m: Machine, node: ast.While) -> None:
    frame = m.frame
    loop = Loop()
    frame.loops.append(loop)
    mark = m.st.mark()
    exits: list[State] = []
    try:
        passes = 0
        uncertain = 0
        while m.st.live and passes < EXACT_PASSES and uncertain < 2:
            verdict = truth_of(m, evaluate(m, node.test), node.test)
            if verdict is False:
                exits.append(m.st)
                m.st = m.st.fork()
                m.st.live = False
                break
            if verdict is None or (isinstance(node.test, ast.Constant) and passes):
                uncertain += 1
            if verdict is None:
                left = m.st.fork()
                here, m.st = m.st, left
                assume(m, node.test, False)
                exits.append(m.st)
                m.st = here.fork()
                assume(m, node.test, True)
            frame.uncertain += 1
            try:
                _run_body(m, loop, node.body)
            finally:
                frame.uncertain -= 1
            passes += 1
        if m.st.live and not (isinstance(node.test, ast.Constant) and node.test.value):
            exits.append(m.st.fork())
    finally:
        frame.loops.pop()
    if exits:
        m.st = join_states(exits, mark)
        if node.orelse and m.st.live:
            execute(m, node.orelse)
    else:
        m.st = m.st.fork()
        m.st.live = False
    if loop.breaks:
        m.st = join_states([m.st, *loop.breaks], mark)


def _break(m: Machine, node: ast.Break) -> None:
    if m.frame.loops:
        m.frame.loops[-1].breaks.append(m.st.fork())
    m.st.live = False


def _continue(m: Machine, node: ast.Continue) -> None:
    if m.frame.loops:
        m.frame.loops[-1].continues.append(m.st.fork())
    m.st.live = False


def _raise(m: Machine, node: ast.Raise) -> None:
    evaluate_optional(m, node.exc)
    m.note_raise()


def handler_names(m: Machine, node: ast.expr | None) -> frozenset[str]:
    """The exception names that an `except` clause catches, by their last part; "*" for all."""
    return frozenset({"*"}) if node is None else _exception_names(m, evaluate(m, node))


def _exception_names(m: Machine, value: Value) -> frozenset[str]:
    if isinstance(value, (Tuple, ListV)):
        items = items_of(m, value, None).exact
        if items is not None:
            return frozenset().union(*[_exception_names(m, item) for item in items])
    if isinstance(value, Symbol):
        name = value.name.rpartition(".")[2]
        return frozenset({"*"} if name in ("Exception", "BaseException") else {name})
    if isinstance(value, ClassV):
        return frozenset({value.name})
    # Exceptions that are computed: they may be any.
    return frozenset({"*"})


def _reraises(handler: ast.ExceptHandler) -> bool:
    """True for a handler that can only hand the error on (`raise` as its last word)."""
    return bool(handler.body) and isinstance(handler.body[-1], ast.Raise)


def _try(m: Machine, node: ast.Try | ast.TryStar) -> None:
    frame = m.frame
    mark = m.st.mark()
    names: frozenset[str] = frozenset()
    for handler in node.handlers:
        if not _reraises(handler):
            names |= handler_names(m, handler.type)
    before = m.st.fork()
    frame.catching.append(names)
    frame.raised.append([])
    try:
        snapshots: list[State] = []
        for statement in node.body:
            if not m.st.live:
                break
            execute(m, [statement])
            if node.handlers:
                snapshots.append(m.st.fork())
    finally:
        frame.catching.pop()
        raised = frame.raised.pop()
    ends: list[State] = []
    if m.st.live:
        execute(m, node.orelse)
    ends.append(m.st)
    if node.handlers:
        start = join_states([before, *snapshots, *raised], mark)
        for handler in node.handlers:
            m.st = start.fork()
            frame.uncertain += 1
            m.handling += 1
            try:
                if handler.name:
                    m.bind(handler.name, Unknown("exception"))
                execute(m, handler.body)
            finally:
                frame.uncertain -= 1
                m.handling -= 1
            ends.append(m.st)
    m.st = join_states(ends, mark)
    if node.finalbody:
        live = m.st.live
        m.st.live = True
        execute(m, node.finalbody)
        m.st.live = m.st.live and live


_SUPPRESSING = {
    "contextlib.suppress",
    "pytest.raises",
    "pytest.warns",
    "unittest.TestCase.assertRaises",
    "absl.testing.absltest.TestCase.assertRaises",
}
_ASSERT_METHODS = {"assertRaises", "assertRaisesRegex", "assertRaisesWithLiteralMatch"}


def _caught_by_item(m: Machine, item: ast.withitem, manager: Value) -> frozenset[str] | None:
    """The exceptions that a `with` item swallows; None for an ordinary context manager."""
    call = item.context_expr
    if not isinstance(call, ast.Call):
        return None
    if isinstance(call.func, ast.Attribute) and call.func.attr in _ASSERT_METHODS:
        return handler_names(m, call.args[0] if call.args else None)
    if isinstance(manager, Symbol) and manager.name.startswith("with:"):
        names: frozenset[str] = frozenset()
        for argument in call.args:
            names |= handler_names(m, argument)
        return names
    return None


def _with(m: Machine, node: ast.With | ast.AsyncWith) -> None:
    frame = m.frame
    caught: frozenset[str] = frozenset()
    mark = m.st.mark()
    before = m.st.fork()
    suppressing = False
    exits: list[tuple[Value, ast.expr]] = []
    for item in node.items:
        manager = evaluate(m, item.context_expr)
        if isinstance(manager, Pending):
            rest = node.items[node.items.index(item) + 1 :]
            _run_pending(m, manager, item, rest, node)
            return
        names = _caught_by_item(m, item, manager)
        if names is not None:
            caught |= names
            suppressing = True
            entered: Value = Unknown("context manager")
        else:
            entered = _entered(m, manager, item.context_expr)
            exits.append((manager, item.context_expr))
        if item.optional_vars is not None:
            assignment.assign(m, item.optional_vars, entered, None)
    if not suppressing:
        execute(m, node.body)
        if m.st.live:
            for manager, expression in reversed(exits):
                _leave(m, manager, expression)
        return
    frame.catching.append(caught)
    frame.raised.append([])
    snapshots: list[State] = [before]
    try:
        for statement in node.body:
            if not m.st.live:
                break
            execute(m, [statement])
            snapshots.append(m.st.fork())
    finally:
        frame.catching.pop()
        raised = frame.raised.pop()
    m.st = join_states([m.st, *snapshots, *raised], mark)


def _run_pending(
    m: Machine,
    manager: Pending,
    item: ast.withitem,
    rest: list[ast.withitem],
    node: ast.With | ast.AsyncWith,
) -> None:
    """Run a generator-based context manager with the body of the `with` in place of its `yield`."""
    frame = m.frame
    ran = False

    def body(value: Value) -> None:
        nonlocal ran
        if ran:
            return
        ran = True
        m.frames.append(frame)
        try:
            if item.optional_vars is not None:
                assignment.assign(m, item.optional_vars, value, None)
            if rest:
                inner = ast.copy_location(type(node)(items=rest, body=node.body), node)
                _with(m, inner)
            else:
                execute(m, node.body)
        finally:
            m.frames.pop()

    m.pending_bodies.append(body)
    depth = len(m.pending_bodies)
    try:
        call_value(m, manager.function, manager.call)
    finally:
        if len(m.pending_bodies) >= depth:
            del m.pending_bodies[depth - 1 :]
    if not ran:
        if item.optional_vars is not None:
            assignment.assign(m, item.optional_vars, Unknown("context manager"), None)
        execute(m, node.body)


def _entered(m: Machine, manager: Value, node: ast.expr) -> Value:
    """What `with manager as name` binds."""
    method = classes.special_method(m, manager, "__enter__")
    if method is not None:
        return call_value(m, method, plain_call(node))
    if isinstance(manager, ListV):
        items = m.object(manager.id)
        if isinstance(items, ListObject) and items.kind == "iterator":
            # A generator function under contextlib.contextmanager: its first yield.
            return items.items[0] if items.items else items.rest
    if isinstance(manager, (RefValue, Vjp, Array)):
        return UNKNOWN
    return Unknown("context manager")


def _leave(m: Machine, manager: Value, node: ast.expr) -> None:
    method = classes.special_method(m, manager, "__exit__")
    if method is not None:
        none = Const(None)
        call_value(m, method, plain_call(node, none, none, none))


def _function(m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef) -> None:
    value = define_function(m, node)
    m.bind(node.name, apply_decorators(m, node.decorator_list, value))


def _class(m: Machine, node: ast.ClassDef) -> None:
    classes.define_class(m, node, execute)


def _delete(m: Machine, node: ast.Delete) -> None:
    for target in node.targets:
        if isinstance(target, ast.Name):
            key = m.frame.scope
            if target.id in m.scope(key).names:
                m.st.bind(key, target.id, Unknown("deleted"))
        elif isinstance(target, ast.Subscript):
            owner = evaluate(m, target.value)
            key_value = evaluate(m, target.slice)
            if isinstance(owner, DictV):
                entries = m.object(owner.id)
                if isinstance(entries, DictObject):
                    if isinstance(key_value, Const):
                        left = {k: v for k, v in entries.entries.items() if k != key_value.value}
                        m.st.put(owner.id, DictObject(left, entries.open, entries.rest))
                    else:
                        m.st.put(owner.id, DictObject({}, True))
            elif isinstance(owner, ListV):
                m.st.put(
                    owner.id, ListObject(None, join_all(list(items_of(m, owner, target).all())))
                )


def _assert(m: Machine, node: ast.Assert) -> None:
    verdict = truth_of(m, evaluate(m, node.test), node.test)
    if verdict is False:
        m.note_raise()
        return
    assume(m, node.test, True)


def _match(m: Machine, node: ast.Match) -> None:
    from jaxref.interp.patterns import match_statement

    match_statement(m, node, execute)


def _import(m: Machine, node: ast.Import) -> None:
    imports.import_statement(m, node)


def _import_from(m: Machine, node: ast.ImportFrom) -> None:
    imports.import_from_statement(m, node)


def _nothing(m: Machine, node: ast.stmt) -> None:
    """`pass`, `global` and `nonlocal`, which `body_names` has read already, and type aliases."""


_HANDLERS: dict[type[ast.AST], Callable[..., None]] = {
    ast.Expr: _expression,
    ast.Assign: _assign,
    ast.AnnAssign: _annotated,
    ast.AugAssign: _augmented,
    ast.Return: _return,
    ast.If: _if,
    ast.For: _for,
    ast.AsyncFor: _for,
    ast.While: _while,
    ast.Break: _break,
    ast.Continue: _continue,
    ast.Raise: _raise,
    ast.Try: _try,
    ast.TryStar: _try,
    ast.With: _with,
    ast.AsyncWith: _with,
    ast.FunctionDef: _function,
    ast.AsyncFunctionDef: _function,
    ast.ClassDef: _class,
    ast.Delete: _delete,
    ast.Assert: _assert,
    ast.Match: _match,
    ast.Import: _import,
    ast.ImportFrom: _import_from,
    ast.Pass: _nothing,
    ast.Global: _nothing,
    ast.Nonlocal: _nothing,
}

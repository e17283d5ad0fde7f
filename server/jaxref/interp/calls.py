"""Calls: of user functions, of classes, and of everything that has a description."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Sequence
from functools import lru_cache

from jaxref.domain.heap import DictObject, ListObject, Scope, join_states
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    BoundMethod,
    ClassV,
    Const,
    Descriptor,
    DictV,
    Function,
    Instance,
    ListV,
    Method,
    Native,
    Partial,
    RefValue,
    Sentinel,
    Super,
    Symbol,
    Transformed,
    Tuple,
    Union,
    Unknown,
    Value,
    Vjp,
    join,
    join_all,
)
from jaxref.facts import PlaceholderUsed, RefMisused
from jaxref.interp import classes
from jaxref.interp.annotations import declared_result, value_of_parameter
from jaxref.interp.evaluation import evaluate
from jaxref.interp.iteration import items_of
from jaxref.interp.machine import (
    MAX_CALL_DEPTH,
    MAX_CALL_STEPS,
    MAX_FOREIGN_STEPS,
    MAX_RECURSION,
    MIN_CALL_STEPS,
    Bound,
    BudgetExceeded,
    Frame,
    Machine,
)
from jaxref.interp.plain import evaluate_decorator, is_plain_call
from jaxref.interp.scopes import body_names
from jaxref.interp.texts import Texts, behind
from jaxref.jaxmodel import methods, refs, symbols, transforms, vjp
from jaxref.jaxmodel.registry import Call

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any


@lru_cache(maxsize=1024)
def builtin_symbol(name: str) -> Value:
    """A name that no scope binds: one of Python's builtins, or unknown."""
    if name == "Ellipsis":
        return Const(...)
    return Symbol(f"builtins.{name}") if hasattr(builtins, name) else Unknown(f"name {name}")


def evaluate_call(m: Machine, node: ast.Call) -> Value:
    """The value of a call expression."""
    if isinstance(node.func, ast.Name) and node.func.id == "super" and not node.args:
        return _super(m)
    function = evaluate(m, node.func)
    args: list[Value] = []
    nodes: list[ast.expr | None] = []
    texts: list[str | ast.expr] = []
    is_open = False
    for argument in node.args:
        if isinstance(argument, ast.Starred):
            spliced = evaluate(m, argument.value)
            m.see(argument.value, spliced)
            items = items_of(m, spliced, argument.value)
            if items.exact is None:
                is_open = True
            else:
                words = m.source(argument.value)
                if not isinstance(argument.value, (ast.Name, ast.Attribute, ast.Subscript)):
                    words = ""
                for index, item in enumerate(items.exact):
                    args.append(item)
                    nodes.append(None)
                    texts.append(f"{words}[{index}]" if words else "")
        else:
            given = evaluate(m, argument)
            if isinstance(given, RefValue):
                refs.note_passed(m, given, argument)
            args.append(given)
            nodes.append(argument)
            texts.append(argument)
    kwargs: dict[str, Value] = {}
    keyword_nodes: dict[str, ast.expr] = {}
    for keyword in node.keywords:
        value = evaluate(m, keyword.value)
        if isinstance(value, RefValue):
            refs.note_passed(m, value, keyword.value)
        if keyword.arg is not None:
            kwargs[keyword.arg] = value
            keyword_nodes[keyword.arg] = keyword.value
        elif isinstance(value, DictV):
            entries = m.object(value.id)
            assert isinstance(entries, DictObject)
            kwargs.update({str(name): item for name, item in entries.entries.items()})
            is_open = is_open or entries.open
        else:
            is_open = True
    return call_value(
        m,
        function,
        Call(
            node, tuple(args), kwargs, is_open, tuple(nodes), keyword_nodes, Texts(m.module, texts)
        ),
    )


def _super(m: Machine) -> Value:
    for frame in reversed(m.frames):
        if frame.function is not None:
            cls = m.owner_of(frame.function.node)
            if cls is not None and frame.receiver is not None:
                return Super(cls, frame.receiver)
    return UNKNOWN


def call_value(m: Machine, function: Value, call: Call) -> Value:
    """The value of calling `function`."""
    m.step()
    if isinstance(function, Function):
        return call_function(m, function, call)
    if isinstance(function, Symbol):
        return symbols.call(m, function.name, call)
    if isinstance(function, Unknown):
        escape(m, call)
        return UNKNOWN
    if isinstance(function, BoundMethod):
        if isinstance(function.function, Function):
            return call_function(
                m, function.function, _with_receiver(call, function.receiver), function.receiver
            )
        return call_value(m, function.function, _with_receiver(call, function.receiver))
    if isinstance(function, ClassV):
        return classes.instantiate(m, function, call)
    if isinstance(function, Method):
        return methods.call(m, function.receiver, function.name, call)
    if isinstance(function, Vjp):
        return vjp.apply(m, function, call)
    if isinstance(function, Transformed):
        return transforms.call(m, function, call)
    if isinstance(function, Partial):
        merged = {**dict(function.kwargs), **call.kwargs}
        bound = Call(
            call.node, (*function.args, *call.args), merged, call.open,
            (*[None] * len(function.args), *call.nodes), call.keyword_nodes,
            behind(len(function.args), call.texts),
        )  # fmt: skip
        return call_value(m, function.function, bound)
    if isinstance(function, Native):
        result: Value = function.call(m, call)
        return result
    if isinstance(function, Instance):
        method = classes.special_method(m, function, "__call__")
        if method is not None:
            return call_value(m, method, call)
        escape(m, call)
        return UNKNOWN
    if isinstance(function, Union):
        return m.each_option(function, lambda option: call_value(m, option, call))
    if isinstance(function, Sentinel):
        if not function.instance:
            return Sentinel(function.kind, True)
        if function.origin is not None and isinstance(call.node, ast.expr):
            m.state_fact(PlaceholderUsed(m.site(call.node), function, "a call"))
        return UNKNOWN
    if isinstance(function, RefValue):
        if isinstance(call.node, ast.expr):
            m.touch(function, call.node)
            m.state_fact(
                RefMisused(
                    m.site(call.node),
                    function,
                    m.ref_object(function),
                    "call",
                    "()",
                    expression=call.node,
                )
            )
        return UNKNOWN
    if isinstance(function, Descriptor) and function.kind in ("staticmethod", "classmethod"):
        return call_value(m, function.function, call)
    escape(m, call)
    return UNKNOWN


def _with_receiver(call: Call, receiver: Value) -> Call:
    return Call(
        call.node, (receiver, *call.args), call.kwargs, call.open, (None, *call.nodes),
        call.keyword_nodes, behind(1, call.texts),
    )  # fmt: skip


def escape(m: Machine, call: Call) -> None:
    """Arguments went to code that is not known: it may change what it can reach."""
    for value in (*call.args, *call.kwargs.values()):
        if type(value) in _REACHED_THROUGH:
            _havoc(m, value, 0)


_REACHED_THROUGH = frozenset({Vjp, ListV, DictV, Tuple})


def _havoc(m: Machine, value: Value, depth: int) -> None:
    if depth > 4:
        return
    if isinstance(value, Vjp):
        vjp.note_loaded(m, value)
        found = m.object(value.id)
        if found.bound is not None:
            m.st.put(value.id, vjp.as_applied(found))
    elif isinstance(value, ListV):
        items = m.object(value.id)
        assert isinstance(items, ListObject)
        for item in items.items or (items.rest,):
            _havoc(m, item, depth + 1)
        if items.items is not None and items.kind == "list" and not items.items:
            # An empty list that is handed out is there to be filled.
            m.st.put(value.id, ListObject(None, UNKNOWN, items.kind))
    elif isinstance(value, DictV):
        entries = m.object(value.id)
        assert isinstance(entries, DictObject)
        for item in entries.entries.values():
            _havoc(m, item, depth + 1)
        if not entries.open:
            m.st.put(value.id, DictObject(dict(entries.entries), True))
    elif isinstance(value, Tuple):
        for item in value.items:
            _havoc(m, item, depth + 1)


def define_function(
    m: Machine, node: ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda
) -> Function:
    """The function object of a `def` or lambda, its defaults evaluated."""
    arguments = node.args
    defaults = tuple(evaluate(m, default) for default in arguments.defaults)
    kw_defaults = tuple(
        None if default is None else evaluate(m, default) for default in arguments.kw_defaults
    )
    scope = m.frame.scope
    while m.st.objects[scope].kind == "class":
        scope = m.st.objects[scope].parent
    function = Function(node, scope, m.frame.module, defaults, kw_defaults)
    if m.frame.module.own:
        m.defined[id(node)] = function
    return function


def apply_decorators(m: Machine, decorators: Sequence[ast.expr], value: Value) -> Value:
    """Apply decorators, the last one first, as calls at their own place."""
    evaluated = [evaluate_decorator(m, decorator, value) for decorator in decorators]
    for decorator, node in zip(reversed(evaluated), reversed(decorators), strict=True):
        result = call_value(m, decorator, Call(node, (value,), {}, False, (None,)))
        if isinstance(result, Unknown) and isinstance(value, (Function, ClassV)):
            # A decorator that is not known: most hand the function on in some wrapping.
            result = UNKNOWN
        value = result
    return value


def call_function(
    m: Machine, function: Function, call: Call, receiver: Value | None = None
) -> Value:
    """Evaluate a user function's body with these arguments."""
    node = function.node
    if len(m.frames) > MAX_CALL_DEPTH or [f.node for f in m.frames].count(node) > MAX_RECURSION:
        escape(m, call)
        return UNKNOWN
    if function.module.own:
        m.entered.add((node.lineno, node.col_offset))
    declared = body_names(node, function.module.text, m.memo.setdefault(("body names",), {}))
    names = bind_arguments(m, function, call)
    scope = m.allocate(Scope(function.scope, names))
    place = m.place(call.node) if m.frames else None
    frame = Frame(
        function.module, scope, node, place, function, globals=declared.globals,
        nonlocals=declared.nonlocals, receiver=receiver if receiver is not None else _first(function, call),
    )  # fmt: skip
    if declared.yields and m.pending_bodies:
        frame.on_yield = m.pending_bodies.pop()
    elif m.pending_bodies:
        # Generators that the function calls are not the context manager's own.
        m.pending_bodies.append(None)
    mark = m.st.mark()
    m.frames.append(frame)
    limit, uncertain = m.entry_limit, len(m.alternatives)
    start = m.steps
    foreign = len(m.frames) > 1 and m.frames[-2].module.own and not function.module.own
    bound: Bound | None = None
    if foreign:
        left = MAX_FOREIGN_STEPS - m.memo.get(("foreign steps",), 0)
        m.entry_limit = min(limit, start + max(MIN_CALL_STEPS, min(MAX_CALL_STEPS, left)))
    elif len(m.frames) > 2:
        bound = m.bound(lambda: is_plain_call(m, function, call))
    try:
        if isinstance(node, ast.Lambda):
            value = evaluate(m, node.body)
            m.recent["last return"] = m.place(node.body)
            return value
        from jaxref.interp.statements import execute

        execute(m, node.body)
    except BudgetExceeded as error:
        if error.bound is not bound or not (foreign or bound) or m.steps > limit:
            raise
        # What it returns is not worth more work.
        m.given_up += 0 if foreign else m.steps - start
        m.st.live = True
        del m.alternatives[uncertain:]
        escape(m, call)
        return UNKNOWN
    finally:
        m.frames.pop()
        if bound is not None:
            m.bounds.pop()
        if foreign:
            m.entry_limit = limit
            m.memo[("foreign steps",)] = m.memo.get(("foreign steps",), 0) + m.steps - start
    if declared.yields:
        if not m.st.live:
            m.st = join_states([m.st, *[state for state, _, _ in frame.returns]], mark)
            m.st.live = True
        items = tuple(frame.yields) if frame.yields_exactly else None
        rest = join_all(frame.yields) if frame.yields else UNKNOWN
        return ListV(m.allocate(ListObject(items, rest, "iterator")))
    result: Value | None = None
    ends = [m.st]
    if m.st.live:
        result = NONE
    last: object = None
    for state, value, returned_at in frame.returns:
        ends.append(state)
        result = value if result is None else join(result, value)
        last = last or returned_at
    m.recent["last return"] = last
    m.st = join_states(ends, mark)
    if result is None:
        # Every path raised.
        return UNKNOWN
    if result == NONE and not frame.returns and _is_stub(node.body):
        result = UNKNOWN
    if isinstance(result, Unknown) and node.returns is not None:
        return declared_result(m, function) or result
    return result


def _is_stub(body: list[ast.stmt]) -> bool:
    """True for a body of `...` alone, behind a docstring maybe: it says nothing of the result."""
    last = body[-1]
    return (
        len(body) <= 2
        and isinstance(last, ast.Expr)
        and isinstance(last.value, ast.Constant)
        and (last.value.value is Ellipsis)
    )


def _first(function: Function, call: Call) -> Value | None:
    """The first positional argument, which `super()` takes as its receiver."""
    return call.args[0] if call.args else None


def bind_arguments(m: Machine, function: Function, call: Call) -> dict[str, Value]:
    """The parameters of a function bound to the arguments of a call. Mismatches are Python's business."""
    spec = function.node.args
    names: dict[str, Value] = {}
    positional = [*spec.posonlyargs, *spec.args]
    args = call.args
    kwargs = dict(call.kwargs)
    defaults = function.defaults
    first_default = len(positional) - len(defaults)
    for index, parameter in enumerate(positional):
        if index < len(args):
            names[parameter.arg] = args[index]
        elif parameter.arg in kwargs:
            names[parameter.arg] = kwargs.pop(parameter.arg)
        elif index >= first_default and not call.open:
            names[parameter.arg] = defaults[index - first_default]
        else:
            names[parameter.arg] = value_of_parameter(m, function, parameter)
    if spec.vararg is not None:
        extra = args[len(positional) :]
        if call.open:
            rest = join_all([*extra, UNKNOWN])
            names[spec.vararg.arg] = ListV(m.allocate(ListObject(None, rest, "tuple")))
        else:
            names[spec.vararg.arg] = Tuple(tuple(extra))
    for parameter, default in zip(spec.kwonlyargs, function.kw_defaults, strict=False):
        if parameter.arg in kwargs:
            names[parameter.arg] = kwargs.pop(parameter.arg)
        elif default is not None and not call.open:
            names[parameter.arg] = default
        else:
            names[parameter.arg] = value_of_parameter(m, function, parameter)
    if spec.kwarg is not None:
        entries: dict[Any, Value] = {**kwargs}
        names[spec.kwarg.arg] = DictV(m.allocate(DictObject(entries, call.open)))
    return names

"""The machine: one abstract run of one module, its state, its stack and the facts it states.

The functions that evaluate things live beside this file and take the machine first. Nothing here
words a message.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager

from jaxref.domain.heap import ListObject, RefObject, Scope, State, join_states
from jaxref.domain.values import (
    NO_TRACES,
    UNKNOWN,
    ClassV,
    Function,
    ListV,
    RefValue,
    Union,
    Value,
    join,
)
from jaxref.facts import Alternative, Fact, Place, RefMisused, Rematerialised, Site, Trace
from jaxref.interp.notes import Notes
from jaxref.jaxmodel.registry import Call
from jaxref.quick_dataclasses import dataclass, field
from jaxref.resolve.resolver import Resolver
from jaxref.source.text import Span, Text

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import Any, TypeVar

    from jaxref.interp.interest import Interest
    from jaxref.interp.iteration import Items

    Item = TypeVar("Item")

MAX_FILE_STEPS = 200_000
MAX_ENTRY_STEPS = 40_000
MAX_IMPORT_STEPS = 80_000
"""For the top levels of all modules that a file imports."""
MAX_MODULE_STEPS = 20_000
"""For the top level of one of them, and of what it imports in turn."""
MAX_PLAIN_STEPS = 2_000
"""For a call, or an expression outside of functions, that has nothing to do with refs."""
MAX_FOREIGN_STEPS = 60_000
"""For all calls of functions of other modules."""
MAX_CALL_STEPS = 6_000
"""For one of them."""
MIN_CALL_STEPS = 300
"""For one of them when all have used their share, and for one without refs when others were given up."""
MAX_CALL_DEPTH = 40
MAX_RECURSION = 2


@dataclass(slots=True)
class Bound:
    """Work within an entry that is given up after `limit` steps, if `is_plain` then says that it has
    nothing to do with refs. That is asked once."""

    limit: int
    is_plain: Callable[[], bool]


class BudgetExceeded(Exception):
    """The step budget of the current entry is used up, or that of `bound`."""

    def __init__(self, bound: Bound | None = None) -> None:
        super().__init__()
        self.bound = bound


@dataclass(slots=True)
class Module:
    """A module being evaluated. `own` is true for the one whose findings are asked for."""

    path: str
    name: str
    text: Text
    tree: ast.Module
    scope: int
    own: bool
    is_package: bool = False
    interest: Interest | None = None
    places: dict[ast.AST, Place] = field(default_factory=dict)
    """Not kept on the nodes, which a tree shares with that of the text before an edit."""

    def place(self, node: ast.AST) -> Place:
        """The place of a node of this module's tree."""
        found = self.places.get(node)
        if found is None:
            offset = self.text.ast_offset
            start = offset(node.lineno, node.col_offset)  # type: ignore[attr-defined]
            end = offset(node.end_lineno, node.end_col_offset)  # type: ignore[attr-defined]
            found = self.places[node] = Place(self.path, Span(start, max(start, end)))
        return found

    def span(self, node: ast.AST) -> Span:
        """The span of a node of this module's tree."""
        return self.place(node).span

    def source(self, node: ast.AST) -> str:
        """The words of a node of this module's tree, on one line, shortened when long."""
        words = " ".join(self.text.slice(self.span(node)).split())
        return words if len(words) <= 60 else words[:57] + "..."


@dataclass(slots=True)
class Loop:
    """A loop being evaluated: the states in which it was left or begun anew."""

    breaks: list[State] = field(default_factory=list)
    continues: list[State] = field(default_factory=list)


@dataclass(slots=True)
class Frame:
    """A function call, a class body or a module's top level being evaluated."""

    module: Module
    scope: int
    node: ast.AST
    call_place: Place | None = None
    function: Function | None = None
    returns: list[tuple[State, Value, Place]] = field(default_factory=list)
    yields: list[Value] = field(default_factory=list)
    yields_exactly: bool = True
    loops: list[Loop] = field(default_factory=list)
    catching: list[frozenset[str]] = field(default_factory=list)
    raised: list[list[State]] = field(default_factory=list)
    uncertain: int = 0
    globals: frozenset[str] = frozenset()
    nonlocals: frozenset[str] = frozenset()
    receiver: Value | None = None
    on_yield: Callable[[Value], None] | None = None


@dataclass(slots=True)
class TraceLog:
    """What happened to refs under one trace.

    `captured` are those reached by closing over them, with the first use, `used` the first uses of
    all; `written` and
    `overwritten` (before any read) those stored into, `scanned` those used inside a loop of JAX, `indexed` and
    `looped` the marks that the values of parts that were read, and of what was read in such a loop, have in their taint,
    `checkpointed` those that entered `jax.checkpoint` as arguments, `rematerialised` what their use there
    is marked with in the taint, with the checkpointed call. `residual_refs`: a `custom_vjp`
    kept a ref for its backward pass.
    """

    captured: dict[int, tuple[RefValue, Place]] = field(default_factory=dict)
    used: dict[int, Place] = field(default_factory=dict)
    read: set[int] = field(default_factory=set)
    written: set[int] = field(default_factory=set)
    overwritten: set[int] = field(default_factory=set)
    scanned: set[int] = field(default_factory=set)
    looped: dict[int, set[int]] = field(default_factory=dict)
    indexed: dict[int, set[int]] = field(default_factory=dict)
    checkpointed: set[int] = field(default_factory=set)
    rematerialised: dict[int, tuple[Place, Rematerialised]] = field(default_factory=dict)
    residual_refs: bool = False


class Machine:
    """One abstract run. `sink` receives each fact as it is stated. `running` is true while the module
    is evaluated as it would be executed, false in functions that nobody called."""

    def __init__(
        self,
        resolver: Resolver,
        sink: Callable[[Fact], None],
        cancel: Callable[[], bool] = lambda: False,
        first_id: int = 1,
    ) -> None:
        self.resolver = resolver
        self.sink = sink
        self.cancel = cancel
        self.st = State()
        self.frames: list[Frame] = []
        self.traces: list[Trace] = []
        self.alternatives: list[Alternative] = []
        self.steps = 0
        self.given_up = 0
        """Steps of the entry that went into calls which were given up."""
        self.bounds: list[Bound] = []
        self._entry_limit = MAX_ENTRY_STEPS
        self._look_at = 0
        """The step at which to see whether a budget is used up, or the run was cancelled."""
        self.incomplete: list[str] = []
        self.failures: list[str] = []
        self.modules: dict[str, Module | None] = {}
        self.defined: dict[int, Function] = {}
        """The functions of the own module that the module, or the present entry, defined, by their nodes."""
        self.entered: set[tuple[int, int]] = set()
        """Those that it entered, by line and column."""
        self.logs: list[TraceLog] = []
        self.seen: dict[tuple[str, int, int], tuple[Value, Any]] = {}
        self.running = True
        self.entry = 0
        self.retracing = 0
        self.strict = False
        self.handling = 0
        self.pending_bodies: list[Callable[[Value], None] | None] = []
        self.memo: dict[Any, Any] = {}
        """What follows from the text alone, and counters."""
        self.recent: dict[str, Any] = {}
        """What the last call left behind."""
        self.notes = Notes()
        self.fence = 0
        """Below it are the ids of what was there before the present entry or statement of the top level."""
        self.leaks = False
        """True once an entry did something that outlives it."""
        self._next = first_id

    # -- the heap ------------------------------------------------------------------------------

    def allocate(self, value: object) -> int:
        """A new heap object; returns its id."""
        key = self._next
        self._next = key + 1
        self.st.put(key, value)
        return key

    def object(self, key: int) -> Any:
        """The heap object `key` as it is now."""
        return self.st.objects[key]

    def fresh_id(self) -> int:
        """An id for something that is not in the heap, e.g. a trace."""
        key = self._next
        self._next = key + 1
        return key

    # -- places --------------------------------------------------------------------------------

    @property
    def frame(self) -> Frame:
        """The frame being evaluated."""
        return self.frames[-1]

    @property
    def module(self) -> Module:
        """The module whose code is being evaluated."""
        return self.frames[-1].module

    def place(self, node: ast.AST) -> Place:
        """The place of a node of the code being evaluated."""
        return self.frames[-1].module.place(node)

    def source(self, node: ast.AST) -> str:
        """The user's own words for an expression, on one line, shortened when long."""
        return self.module.source(node)

    def site(self, node: ast.AST, certain: bool = True) -> Site:
        """The site of a fact at `node`, in the code being evaluated."""
        frames = self.frames
        caught = [names for frame in frames for names in frame.catching]
        return Site(
            frames[-1].module.place(node), node,
            tuple([frame.call_place for frame in reversed(frames) if frame.call_place is not None]),
            frozenset[str]().union(*caught), certain, tuple(self.traces), frames[-1].node, self.running,
            tuple(self.alternatives), self.resolver.jax_version,
        )  # fmt: skip

    def state_fact(self, fact: Fact) -> None:
        """State a fact. Of what stands for many refs, nothing is said that only a ref does wrong."""
        if isinstance(fact, RefMisused) and fact.ref.tree:
            return
        self.sink(fact)

    def inferred(self, node: ast.expr, name: str) -> Value | None:
        """What type inference makes of an expression that evaluation left unknown: a ref, or None.

        Only asked where a ref would matter, as one answer can take longer than a whole analysis.
        """
        module = self.module
        if not isinstance(node, (ast.Name, ast.Attribute, ast.Call, ast.Subscript)):
            return None
        line = node.end_lineno or node.lineno
        column = module.span(node).end - module.text.line_starts[line - 1]
        kind = self.resolver.return_type(module.path, module.text.content, line, column)
        if kind != "jax.Ref":
            return None
        place = module.place(node)
        made = RefObject(
            place.path, place.span, name, None, None,
            frozenset(trace.id for trace in self.traces), how="parameter",
        )  # fmt: skip
        return RefValue(self.allocate(made))

    def owner_of(self, node: ast.AST) -> ClassV | None:
        """The class that a function is a method of."""
        found: ClassV | None = self.notes.get(("method of", id(node)))
        return found

    def changes_class(self, cls: ClassV) -> None:
        """Note that the way in which JAX sees a class changes, which is not a matter of the heap."""
        if cls.id < self.fence:
            self.notes.changed = True
            self.leaks = self.leaks or not self.running

    # -- budgets -------------------------------------------------------------------------------

    @property
    def entry_limit(self) -> int:
        """The step at which the budget of the entry, or of what is evaluated in it, is used up."""
        return self._entry_limit

    @entry_limit.setter
    def entry_limit(self, limit: int) -> None:
        self._entry_limit = limit
        self._look_at = min(self._look_at, limit + 1)

    def bound(self, is_plain: Callable[[], bool]) -> Bound:
        """Put a bound on what is evaluated from now on, until it is taken from `bounds`.

        It shares the budget of what is plain with all that was given up in this entry.
        """
        steps = max(MIN_CALL_STEPS, MAX_PLAIN_STEPS - self.given_up)
        made = Bound(self.steps + steps, is_plain)
        self.bounds.append(made)
        self._look_at = min(self._look_at, made.limit + 1)
        return made

    def step(self) -> None:
        """Count one step of work; raises `BudgetExceeded` when the entry has used its share."""
        self.steps += 1
        if self.steps >= self._look_at:
            self._look()

    def _look(self) -> None:
        if self.steps > self._entry_limit:
            raise BudgetExceeded
        for bound in self.bounds:
            # The outermost first: giving that up spares the others.
            if self.steps > bound.limit:
                if bound.is_plain():
                    raise BudgetExceeded(bound)
                bound.limit = sys.maxsize
        if self.cancel():
            raise Cancelled
        limits = [bound.limit for bound in self.bounds]
        self._look_at = min(self._entry_limit, self.steps + 255, *limits) + 1

    # -- branches ------------------------------------------------------------------------------

    def branch(self, *ways: Callable[[], Value | None]) -> Value:
        """Go each way from the present state and meet again; the join of their values."""
        base, mark = self.st, self.st.mark()
        ends: list[State] = []
        result: Value | None = None
        frame = self.frame
        frame.uncertain += 1
        try:
            for way in ways:
                self.st = base.fork()
                value = way()
                ends.append(self.st)
                if self.st.live and value is not None:
                    result = value if result is None else join(result, value)
        finally:
            frame.uncertain -= 1
            self.st = join_states(ends, mark) if ends else base
        return UNKNOWN if result is None else result

    def each_option(self, value: Value, change: Callable[[Value], Value]) -> Value:
        """`change` on a value; on each alternative of a Union, as something that may be so."""
        if not isinstance(value, Union):
            return change(value)
        group, count = self.fresh_id(), len(value.options)

        def way(index: int, option: Value) -> Value:
            with self.alternative(Alternative(group, index, count)):
                return change(option)

        return self.branch(
            *[lambda index=i, option=o: way(index, option) for i, o in enumerate(value.options)]
        )

    @contextmanager
    def alternative(self, one: Alternative) -> Iterator[None]:
        """Evaluate what holds under one of several alternatives only."""
        self.alternatives.append(one)
        try:
            yield
        finally:
            self.alternatives.pop()

    def ways(self, values: Sequence[Item]) -> Iterator[Item]:
        """Iterate over alternatives, what is evaluated meanwhile holding under that one only."""
        if len(values) == 1:
            yield values[0]
            return
        group, count = self.fresh_id(), len(values)
        for index, value in enumerate(values):
            with self.alternative(Alternative(group, index, count)):
                yield value

    @property
    def maybe(self) -> bool:
        """True while what is evaluated holds on some paths only."""
        return bool(self.alternatives)

    def note_raise(self) -> None:
        """Remember the present state for the handlers of the enclosing `try`, and end this path."""
        for frame in reversed(self.frames):
            if frame.raised:
                frame.raised[-1].append(self.st.fork())
                break
        self.st.live = False

    # -- names ---------------------------------------------------------------------------------

    def scope(self, key: int) -> Scope:
        """The scope object `key`."""
        found = self.st.objects[key]
        assert isinstance(found, Scope)
        return found

    def look_up(self, name: str) -> Value | None:
        """The value of a name seen from the present frame; None when no scope binds it."""
        objects = self.st.objects
        key = self.frames[-1].scope
        try:
            while key:
                scope: Scope = objects[key]
                value = scope.names.get(name)
                if value is not None:
                    return value
                key = scope.parent
        except KeyError:
            # The scope went with a path that ended.
            pass
        return None

    def holder_of(self, name: str) -> int:
        """The scope that binds a name seen from the present frame; 0 for none."""
        key = self.frames[-1].scope
        while key and name not in self.st.objects[key].names:
            key = self.st.objects[key].parent
        return key

    def bind(self, name: str, value: Value) -> None:
        """Bind a name as an assignment in the present frame does."""
        frame = self.frames[-1]
        if name in frame.globals:
            self.st.bind(frame.module.scope, name, value)
        elif name in frame.nonlocals:
            key = self.scope(frame.scope).parent
            while key and name not in self.scope(key).names:
                key = self.scope(key).parent
            self.st.bind(key or frame.scope, name, value)
        else:
            key = frame.scope
            while self.st.objects[key].kind == "comprehension":
                # A walrus in a comprehension binds in the scope around it.
                key = self.st.objects[key].parent
            self.st.bind(key, name, value)

    def see(self, node: ast.AST, value: Value) -> None:
        """Remember the value at an expression of the own module, for hovers."""
        module = self.frames[-1].module
        if module.own:
            span = module.span(node)
            key = (type(node).__name__, span.start, span.end)
            if key not in self.seen:
                # The first time is the most telling one: later passes stand for many.
                held = getattr(value, "id", None)
                self.seen[key] = (value, self.st.objects.get(held) if held is not None else None)

    # -- evaluating (for the models, which cannot import the interpreter) -----------------------

    def call(self, function: Value, call: Call) -> Value:
        """The value of calling `function`."""
        from jaxref.interp.calls import call_value

        return call_value(self, function, call)

    def items(self, value: Value, node: ast.expr | None = None) -> Items:
        """What iterating over `value` gives."""
        from jaxref.interp.iteration import items_of

        return items_of(self, value, node)

    def evaluate(self, node: ast.expr) -> Value:
        """The value of an expression of the code being evaluated."""
        from jaxref.interp.evaluation import evaluate

        return evaluate(self, node)

    def item(self, owner: Value, index: Value, node: ast.AST) -> Value:
        """`owner[index]`."""
        from jaxref.interp.subscripts import item_of

        return item_of(self, owner, index, node)  # type: ignore[arg-type]

    def store(self, owner: Value, index: Value, value: Value, node: ast.AST) -> None:
        """`owner[index] = value`."""
        from jaxref.interp.subscripts import store_item

        store_item(self, owner, index, value, node)  # type: ignore[arg-type]

    def get(self, owner: Value, name: str, node: ast.AST) -> Value:
        """`owner.name`."""
        from jaxref.interp.attributes import get_attribute

        return get_attribute(self, owner, name, node)  # type: ignore[arg-type]

    def binary(self, node: ast.AST, op: ast.operator, left: Value, right: Value) -> Value:
        """`left op right`."""
        from jaxref.interp.operators import binary

        return binary(self, node, op, left, right)  # type: ignore[arg-type]

    def truth(self, value: Value, node: ast.AST) -> bool | None:
        """Whether `value` counts as true."""
        from jaxref.interp.truth import truth_of

        return truth_of(self, value, node)  # type: ignore[arg-type]

    def escape(self, call: Call) -> None:
        """The arguments of a call went to code that is not known."""
        from jaxref.interp.calls import escape

        escape(self, call)

    def special_method(self, value: Value, name: str) -> Value | None:
        """A method of the class of an instance, bound."""
        from jaxref.interp.classes import special_method

        return special_method(self, value, name)

    def is_instance(self, value: Value, kinds: Value) -> bool | None:
        """`isinstance(value, kinds)`; None when that is not known."""
        from jaxref.interp.narrowing import is_instance

        return is_instance(value, kinds, self)

    def make_dataclass(self, cls: ClassV, pytree: bool) -> None:
        """What `dataclasses.dataclass` does to a class; `pytree`: registered with JAX as well."""
        from jaxref.interp.classes import make_dataclass

        make_dataclass(self, cls, pytree)

    def replace_fields(self, value: Value, call: Call) -> Value:
        """`dataclasses.replace(value, ...)`."""
        from jaxref.interp.classes import replace_fields

        return replace_fields(self, value, call)

    def new_list(
        self, items: tuple[Value, ...] | None, rest: Value = UNKNOWN, kind: str = "list"
    ) -> ListV:
        """A new list: its items, or what each may be."""
        return ListV(self.allocate(ListObject(items, rest, kind)))

    # -- traces --------------------------------------------------------------------------------

    @contextmanager
    def tracing(self, trace: Trace) -> Iterator[TraceLog]:
        """Evaluate under `trace`; gives the log of what happens to refs there."""
        log = TraceLog()
        self.traces.append(trace)
        self.logs.append(log)
        try:
            yield log
        finally:
            self.traces.pop()
            self.logs.pop()

    def new_trace(
        self,
        kind: str,
        name: str,
        node: ast.AST,
        function: str,
        arg_refs: frozenset[int] = NO_TRACES,
    ) -> Trace:
        """A trace that the call at `node` starts."""
        return Trace(self.fresh_id(), kind, name, self.place(node), function, arg_refs)

    def ref_object(self, ref: RefValue) -> RefObject:
        """The heap object of a ref."""
        found = self.st.objects[ref.id]
        assert isinstance(found, RefObject)
        return found

    def touch(self, ref: RefValue, node: ast.AST, *, use: bool = True) -> tuple[Trace, ...]:
        """Note a use of a ref; the traces that reach it by closing over it, the outermost first.

        With `use` false the ref is only handed on to a function that is traced.
        """
        found = self.ref_object(ref)
        closed = []
        for index, (trace, log) in enumerate(zip(self.traces, self.logs, strict=True)):
            staged = next((inner for inner in self.traces[index + 1 :] if inner.staged), None)
            if use and (staged is None or staged.kind != "jit"):
                # A jitted function is let be; at other staged ones JAX notices at their call.
                place = staged.place if staged is not None else self.place(node)
                log.used.setdefault(ref.id, place)
            if trace.id not in found.traces and trace.id not in ref.via:
                closed.append(trace)
                log.captured.setdefault(ref.id, (ref, self.place(node)))
        return tuple(closed)


class Cancelled(Exception):
    """The analysis was cancelled."""

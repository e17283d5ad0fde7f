"""Facts: what happened where in a program, to which values. Stated by the interpreter, judged by rules.

All values in a fact are frozen: heap objects are those of the moment the fact speaks of.
"""

from __future__ import annotations

import ast

from jaxref.domain.heap import RefObject
from jaxref.domain.trees import Tree, TreeDef
from jaxref.domain.values import NO_TRACES, RefValue, Sentinel, Shape, Value
from jaxref.quick_dataclasses import dataclass
from jaxref.source.text import Span


@dataclass(frozen=True, slots=True)
class Place:
    """A stretch of a file."""

    path: str
    span: Span


@dataclass(frozen=True, slots=True)
class Trace:
    """A JAX transform at work: its kind, the call that started it and the function it traces.

    `kind` is jit, scan, while_loop, fori_loop, cond, switch, checkpoint, custom_vjp, kernel, ...
    (staged), grad (vjp, grad, linearize, jvp) or vmap. `arg_refs` are the ids of the refs that it got
    as arguments.
    """

    id: int
    kind: str
    name: str
    place: Place
    function: str
    arg_refs: frozenset[int] = NO_TRACES

    @property
    def staged(self) -> bool:
        """True where JAX records the function instead of running it."""
        return self.kind not in ("grad", "vmap", "custom_vjp", "eager")


@dataclass(frozen=True, slots=True)
class Alternative:
    """One of `count` ways that a value may have come about, numbered from 0; `count` 0: of many."""

    group: int
    index: int
    count: int


@dataclass(frozen=True, slots=True)
class Site:
    """Where a fact holds.

    `callers` are the calls that lead there, the innermost first. `caught` is true inside a `try` (or
    `pytest.raises`, ...) that catches what JAX would raise; `certain` is false where the fact holds on
    some paths only, as it is under `alternatives` unless it holds under all of them; `traces` are the transforms at work, the outermost first.
    """

    place: Place
    node: ast.AST
    callers: tuple[Place, ...] = ()
    caught: frozenset[str] = frozenset()
    certain: bool = True
    traces: tuple[Trace, ...] = ()
    scope_node: ast.AST | None = None
    entered_from_module: bool = True
    alternatives: tuple[Alternative, ...] = ()
    jax: tuple[int, ...] | None = None
    """The version of JAX in use, None where it is not known."""

    def before(self, *version: int) -> bool:
        """True when the JAX in use is known to be older than `version`."""
        return self.jax is not None and self.jax[: len(version)] < version


@dataclass(frozen=True, slots=True)
class PrimalLeaf:
    """A leaf of the primals of a VJP.

    `path` is JAX's, e.g. `args[0]['w']`; `text` is the user's expression with the rest of the path,
    e.g. `params['w']`. `refs` are the refs it may be (several after a branch), with their objects;
    `certain` is false when it may also be something else. `written` tells whether the differentiated
    function writes that ref, `scanned` whether it uses it inside a `lax.scan` or another loop.
    """

    path: str
    text: str
    position: int
    value: Value
    refs: tuple[tuple[RefValue, RefObject], ...] = ()
    certain: bool = True
    written: bool = False
    overwritten: bool = False
    scanned: bool = False
    indexed: bool = False

    @property
    def is_ref(self) -> bool:
        """True when the leaf is a ref at least on some paths."""
        return bool(self.refs)


@dataclass(frozen=True, slots=True)
class Rematerialised:
    """A differentiated ref that a function under `jax.checkpoint` uses so that the result depends on it.

    `place` is the use, `around` are the calls that trace the code there.
    """

    ref: RefValue
    object: RefObject
    place: Place
    around: tuple[Place, ...] = ()


@dataclass(frozen=True, slots=True)
class VjpInfo:
    """What is known of a VJP from the call that made it."""

    site: Site
    maker: str
    function: str
    leaves: tuple[PrimalLeaf, ...]
    treedef: TreeDef
    arg_texts: tuple[str, ...]
    parameters: tuple[str, ...]
    has_aux: bool | None
    out: Tree | None
    checkpointed: bool = False
    closed_over: frozenset[int] = NO_TRACES
    residual_refs: bool = False
    unsaved: tuple[int, ...] = ()
    """Positions of primals whose residuals were not saved and have not been put back."""
    call: ast.Call | None = None
    many: bool = False
    rematerialised: tuple[Rematerialised, ...] = ()


@dataclass(frozen=True, slots=True)
class Entry:
    """One `with_refs` entry: the leaf, its path, and for refs their objects."""

    path: str
    text: str
    value: Value
    refs: tuple[tuple[RefValue, RefObject], ...] = ()


@dataclass(frozen=True, slots=True)
class Binding:
    """The entries a VJP was bound with. `starred`: some came from a sequence of unknown length."""

    site: Site
    entries: tuple[Entry, ...]
    treedef: TreeDef
    empty: bool
    starred: bool
    place: Place


@dataclass(frozen=True, slots=True)
class Fact:
    """Base of all facts."""

    site: Site


@dataclass(frozen=True, slots=True)
class VjpApplied(Fact):
    """A VJP was called. `applied` counts how often this bound VJP had been called before."""

    vjp: VjpInfo
    binding: Binding | None
    cotangent: Tree | None
    arguments: int
    keywords: bool
    applied: int
    held: tuple[tuple[int, RefObject], ...] = ()
    stale: tuple[int, ...] = ()
    """Entries whose ref holds an earlier gradient, while the primal was stored into since then."""

    def content_of(self, ref: int) -> RefObject | None:
        """The object of a bound gradient ref before this application."""
        return dict(self.held).get(ref)


@dataclass(frozen=True, slots=True)
class RefsBound(Fact):
    """`with_refs` was called. `earlier` is the binding that the VJP had already."""

    vjp: VjpInfo
    binding: Binding
    earlier: Binding | None
    keywords: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class BindingUnused(Fact):
    """The result of `with_refs` is never applied."""

    vjp: VjpInfo
    binding: Binding


@dataclass(frozen=True, slots=True)
class DerivativeTaken(Fact):
    """A function transformed by grad, value_and_grad, jacrev, jvp, ... was called.

    `leaves` are the leaves it is differentiated with respect to.
    """

    transform: str
    function: str
    leaves: tuple[PrimalLeaf, ...]
    tangents: tuple[Value, ...] = ()
    transform_call: ast.AST | None = None
    used: Place | None = None
    """Where the function first uses the first Ref-typed leaf."""


@dataclass(frozen=True, slots=True)
class RematerialisedDerivative(Fact):
    """`jax.grad` and the like went through a checkpointed function that uses differentiated refs."""

    transform: str
    function: str
    uses: tuple[Rematerialised, ...]


@dataclass(frozen=True, slots=True)
class RefMisused(Fact):
    """A ref stood where JAX wants an array. `how` is operator, function, primitive, method, augmented,
    compare, contains, truth, iterate, key, print, call, len, float, index or shard_map; `what` names it."""

    ref: RefValue
    object: RefObject
    how: str
    what: str
    position: int = 0
    other: Value | None = None
    expression: ast.AST | None = None


@dataclass(frozen=True, slots=True)
class RefAccessed(Fact):
    """A ref was read, written, swapped, accumulated into, frozen or freed.

    `object` is the ref before. `value` is what was stored, `stored` the aval the place takes.
    `taint` are the differentiation traces that make the store impossible, `unbatched` the vmap trace
    that forbids it, `closed` the traces that reached the ref by closing over it.
    """

    ref: RefValue
    object: RefObject
    action: str
    value: Value | None = None
    place_shape: Shape | None = None
    taint: tuple[Trace, ...] = ()
    unbatched: Trace | None = None
    closed: tuple[Trace, ...] = ()
    index: tuple[Value, ...] | None = None
    full: bool = False
    unused: bool = False
    """The ref was frozen before, and what is got from it here reaches nothing."""


@dataclass(frozen=True, slots=True)
class RefMade(Fact):
    """A ref was made from `initial`."""

    ref: RefValue
    object: RefObject
    initial: Value
    how: str


@dataclass(frozen=True, slots=True)
class FunctionTraced(Fact):
    """A transformed function was called and traced.

    `passed` are the refs among the arguments with the user's words for them, `captured` those it
    reached by closing over them (with the place of the first use), `returned` the refs in its result
    with the place of the return and, where there are any, the whole result. `entering` are bound VJPs
    that enter, `leaving` the VJPs that leave. `arguments` are those that `jax.vmap` was given by
    position.
    """

    trace: Trace
    passed: tuple[tuple[RefValue, RefObject, str], ...]
    captured: tuple[tuple[RefValue, RefObject, Place], ...]
    returned: tuple[tuple[RefValue, RefObject], ...]
    returns: Place | None
    entering: tuple[Binding, ...] = ()
    leaving: tuple[VjpInfo, ...] = ()
    leaving_bound: bool = False
    result: Tree | None = None
    arguments: tuple[Value, ...] = ()


@dataclass(frozen=True, slots=True)
class PlaceholderUsed(Fact):
    """A `GradRef()` or `DidntWant()` that a bound VJP returned was used as a gradient."""

    sentinel: Sentinel
    how: str
    silent: bool = False


@dataclass(frozen=True, slots=True)
class NameUsed(Fact):
    """A name of JAX's API was used that has a history, e.g. `jax.array_ref`."""

    name: str


@dataclass(frozen=True, slots=True)
class RefCopied(Fact):
    """A second name was given to a ref (`old = ref`, `copy.copy(ref)`)."""

    ref: RefValue
    object: RefObject
    name: str
    how: str
    read_after_write: Place | None = None


@dataclass(frozen=True, slots=True)
class CapturedRefReplaced(Fact):
    """A name that a jitted function closed over and was traced with now stands for another ref."""

    name: str
    trace: Trace
    object: RefObject


@dataclass(frozen=True, slots=True)
class RefLeaked(Fact):
    """A ref made while a function was traced is used after the trace ended."""

    ref: RefValue
    object: RefObject
    kept: Place | None

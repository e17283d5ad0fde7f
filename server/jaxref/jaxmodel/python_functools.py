"""Python's functools, contextlib, asyncio and typing, as far as they hand functions and values on."""

from __future__ import annotations

import ast

from jaxref.domain.heap import Cell
from jaxref.domain.values import (
    NONE,
    UNKNOWN,
    BoundMethod,
    ClassV,
    Const,
    Descriptor,
    Function,
    Native,
    Partial,
    Symbol,
    Transformed,
    Value,
    join,
    join_all,
)
from jaxref.jaxmodel.registry import DESCRIPTIONS, Call, describe

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

MAX_ITEMS = 64


@describe("functools.partial", "jax.tree_util.Partial")
def partial(m: Machine, call: Call) -> Value:
    """`functools.partial(f, *args, **kwargs)`."""
    if call.open or not call.args:
        return UNKNOWN
    if isinstance(call.args[0], Symbol) and len(call.args) == 1 and call.kwargs:
        # `partial(jax.jit, static_argnums=0)` is a decorator.
        name = call.args[0].name
        if name in DESCRIPTIONS and name in ("jax.jit", "jax.vmap", "jax.checkpoint", "jax.grad",
                                             "jax.value_and_grad", "jax.custom_vjp", "jax.shard_map"):  # fmt: skip
            return Partial(call.args[0], (), tuple(call.kwargs.items()))
    return Partial(call.args[0], call.args[1:], tuple(call.kwargs.items()))


@describe("functools.reduce")
def reduce(m: Machine, call: Call) -> Value:
    """`functools.reduce(f, iterable, initial)`."""
    if len(call.args) < 2:
        return UNKNOWN
    items = m.items(call.args[1], call.expression(1))
    if items.exact is None or len(items.exact) > MAX_ITEMS:
        seed = call.args[2] if len(call.args) > 2 else items.any_item()
        result = m.call(
            call.args[0], Call(call.node, (seed, items.any_item()), {}, False, (None, None))
        )
        return join(seed, result)
    values = list(items.exact)
    if len(call.args) > 2:
        values.insert(0, call.args[2])
    if not values:
        return UNKNOWN
    total = values[0]
    for value in values[1:]:
        total = m.call(call.args[0], Call(call.node, (total, value), {}, False, (None, None)))
    return total


@describe("functools.wraps", "typing.overload", "typing.no_type_check", "typing.final", "typing.override", "abc.abstractmethod",
          "atexit.register", "typing.runtime_checkable", "functools.total_ordering",
          "pytest.fixture", "jax.named_scope", "jax.profiler.annotate_function",
          "beartype.beartype", "jaxtyping.jaxtyped", "typeguard.typechecked", "chex.assert_max_traces",
          "unittest.skip", "unittest.skipIf", "pytest.mark.parametrize", "pytest.mark.skipif")  # fmt: skip
def transparent(m: Machine, call: Call) -> Value:
    """Decorators that hand the function on, with or without arguments."""
    first = call.first()
    node = call.node
    used_plainly = not (
        isinstance(node, ast.Call) and first in [*call.args] and _is_argument(node, first, m)
    )
    if (
        isinstance(first, (Function, ClassV, Transformed, Partial, BoundMethod, Descriptor))
        and used_plainly
    ):
        return first
    return Native("transparent", lambda mm, inner: inner.args[0] if inner.args else UNKNOWN)


def _is_argument(node: ast.Call, value: Value, m: Machine) -> bool:
    """True for `wraps(f)` in `@wraps(f)`: the call names a function it does not decorate."""
    name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
    return name in (
        "wraps",
        "lru_cache",
        "parametrize",
        "skipif",
        "skip",
        "skipIf",
    ) or not isinstance(value, Function)


@describe("contextlib.contextmanager", "contextlib.asynccontextmanager")
def contextmanager(m: Machine, call: Call) -> Value:
    """A generator function becomes one whose calls wait for a `with` statement."""
    return Transformed("contextmanager", call.first(), {})


@describe("functools.lru_cache", "functools.cache")
def cached(m: Machine, call: Call) -> Value:
    """Calls with the same arguments give the same result."""

    def make(function: Value) -> Value:
        return Transformed("cache", function, {"cell": Const(m.allocate(Cell({})))})

    first = call.first()
    if isinstance(first, (Function, Transformed, BoundMethod, Partial, ClassV)):
        return make(first)
    return Native("lru_cache", lambda mm, inner: make(inner.args[0] if inner.args else UNKNOWN))


@describe("functools.singledispatch")
def singledispatch(m: Machine, call: Call) -> Value:
    """A function with further implementations by the type of its first argument."""
    return Transformed("singledispatch", call.first(), {"cell": Const(m.allocate(Cell({})))})


@describe(
    "asyncio.run",
    "asyncio.create_task",
    "asyncio.ensure_future",
    "asyncio.wait_for",
    "asyncio.shield",
)
def awaited(m: Machine, call: Call) -> Value:
    """Coroutines are evaluated where they are called: these hand the result on."""
    return call.first()


@describe("asyncio.gather")
def gather(m: Machine, call: Call) -> Value:
    """`asyncio.gather(*coroutines)`: their results in order."""
    if call.open:
        return m.new_list(None, join_all(list(call.args)))
    return m.new_list(call.args)


@describe("asyncio.sleep")
def sleep(m: Machine, call: Call) -> Value:
    """`asyncio.sleep(delay, result=None)`."""
    return call.args[1] if len(call.args) > 1 else NONE


@describe("typing.cast")
def cast(m: Machine, call: Call) -> Value:
    """`typing.cast(kind, value)` is `value`."""
    return call.args[1] if len(call.args) == 2 else UNKNOWN


@describe("typing.assert_type", "typing.reveal_type")
def first_argument(m: Machine, call: Call) -> Value:
    """Functions that hand their first argument on."""
    return call.first()


@describe("contextlib.suppress", "pytest.raises", "pytest.warns")
def suppressing(m: Machine, call: Call) -> Value:
    """Context managers that swallow exceptions; the `with` statement reads which."""
    return Symbol("with:suppress")


@describe("contextlib.nullcontext")
def nullcontext(m: Machine, call: Call) -> Value:
    """`contextlib.nullcontext(value)`."""
    return m.new_list((call.first() if call.args else NONE,), kind="iterator")

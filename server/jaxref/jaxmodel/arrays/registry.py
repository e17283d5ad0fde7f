"""The table of array functions, and how a shape rule and a dtype rule make a result.

A module of this package states a function as `state(names, parameters, shape, dtype)`. Taint and
batch follow from the flow: measured under JAX 0.12, a value whose derivative is zero everywhere
(`floor`, `sign`, `x > 0`, an integer) may be stored in a closed-over ref, while `x * 0` may not.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import Enum

from jaxref.domain.values import NO_TRACES, Array, Const, Shape, Unknown, Value
from jaxref.jaxmodel.arrays.call import ArrayCall, Bound, Doubt, Operand, bind, expanded, traces
from jaxref.jaxmodel.arrays.dtypes import UNTYPED, Typed, is_inexact
from jaxref.late import Table

TYPE_CHECKING = False
if TYPE_CHECKING:
    from typing import TypeAlias

Result: TypeAlias = "Value | tuple[Result, ...] | list[Result]"
Handler: TypeAlias = Callable[[ArrayCall], Result]
ShapeRule: TypeAlias = Callable[[Bound], Shape | None]
DtypeRule: TypeAlias = Callable[[Bound], Typed]

ARRAY_FUNCTIONS: Table[Handler] = Table("jaxref.jaxmodel.arrays", "ARRAY_FUNCTIONS")
"""What is known of array functions, by canonical name."""


class Flow(Enum):
    """What of the arguments a result depends on."""

    VALUES = "values"
    """Values and derivatives: taint flows into results that are not known to be whole numbers."""
    STEPS = "steps"
    """Values only, the derivative is zero: JAX does not differentiate the result."""
    FORM = "form"
    """Shapes and dtypes only, as `zeros_like` does: neither taint nor batch."""


def result(
    operands: Operand | Sequence[Operand],
    shape: Shape | None,
    typed: Typed,
    flow: Flow = Flow.VALUES,
    origin: str = "jax",
) -> Array:
    """An array made from `operands` under `flow`."""
    taint, batch = NO_TRACES, NO_TRACES
    if flow is not Flow.FORM and origin != "numpy":
        taint, batch = traces(operands)
    if flow is Flow.STEPS or is_inexact(typed.dtype) is False:
        taint = NO_TRACES
    return Array(shape, typed.dtype, typed.weak, origin, taint, batch)


def certain_shape(rule: ShapeRule, bound: Bound) -> Shape | None:
    """What `rule` says, None where it is in doubt."""
    try:
        return rule(bound)
    except Doubt:
        return None


def certain_type(rule: DtypeRule, bound: Bound) -> Typed:
    """What `rule` says, untyped where it is in doubt."""
    try:
        return rule(bound)
    except Doubt:
        return UNTYPED


def state(
    names: str,
    parameters: str,
    shape: ShapeRule,
    dtype: DtypeRule,
    *,
    flow: Flow = Flow.VALUES,
    derivative_of: str = "",
    origin: str = "jax",
) -> None:
    """Enter functions that return one array.

    `names` holds canonical names, `parameters` the positional parameters in order (a `*` takes the
    rest), both separated by blanks. `derivative_of` names the only parameters that taint flows
    from, where it is not all of them.
    """
    order = tuple(parameters.split())
    sources = tuple(derivative_of.split())

    def handler(call: ArrayCall) -> Result:
        everything = (*call.args, *call.kwargs.values())
        try:
            if call.open:
                raise Doubt
            bound = bind(call, order)
        except Doubt:
            return result(everything, None, UNTYPED, flow, origin)
        made = result(
            everything,
            certain_shape(shape, bound),
            certain_type(dtype, bound),
            flow,
            origin,
        )
        if sources and made.taint:
            taint, _ = traces([bound.values[name] for name in sources if name in bound.values])
            return Array(made.shape, made.dtype, made.weak, origin, taint, made.batch)
        return made

    for name in names.split():
        enter(name, handler)


def state_call(
    names: str, parameters: str, answer: Callable[[Bound], Result], *, array: bool = False
) -> None:
    """Enter functions whose results `answer` makes itself.

    A doubt there means Unknown, or an array of which nothing is known where `array` says that the
    function always returns one.
    """
    order = tuple(parameters.split())

    def handler(call: ArrayCall) -> Result:
        try:
            if call.open:
                raise Doubt
            return answer(bind(call, order))
        except Doubt:
            if array:
                return result((*call.args, *call.kwargs.values()), None, UNTYPED)
            return Unknown("an array function with arguments that are not known")

    for name in names.split():
        enter(name, handler)


def enter(name: str, handler: Handler) -> None:
    """Put one function into the table; a name may be stated by one module only."""
    ARRAY_FUNCTIONS[name] = handler


def under(prefixes: str, names: str) -> str:
    """Each of `names` under each of the module `prefixes`, for `state`."""
    return " ".join(f"{prefix}.{name}" for prefix in prefixes.split() for name in names.split())


__all__ = [
    "ARRAY_FUNCTIONS",
    "Const",
    "Flow",
    "Handler",
    "Result",
    "certain_shape",
    "certain_type",
    "enter",
    "expanded",
    "result",
    "state",
    "state_call",
    "under",
]

"""`grad` and its relatives, and forward mode."""

from __future__ import annotations

import ast
from collections.abc import Callable

from jaxref.domain.trees import map_leaves
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    Const,
    Native,
    Transformed,
    Tuple,
    Value,
)
from jaxref.facts import DerivativeTaken, RematerialisedDerivative
from jaxref.jaxmodel.arrays import as_array
from jaxref.jaxmodel.registry import Call, calls, describe
from jaxref.jaxmodel.tracing import (
    argnum_list,
    function_name,
    into_trace,
    known_argument,
    out_of_trace,
    primal_leaves,
    rehome,
    truth,
)
from jaxref.jaxmodel.vjp import differentiate, rematerialised, what_matters

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine

_DERIVATIVES = ("grad", "value_and_grad", "jacrev", "jacfwd", "hessian", "jacobian")
_FORWARD = frozenset({"jacfwd", "hessian"})


def _derivative(name: str) -> Callable[[Machine, Call], Value]:
    def handler(m: Machine, call: Call) -> Value:
        options = dict(call.kwargs)
        if len(call.args) > 1:
            options["argnums"] = call.args[1]
        if len(call.args) > 2:
            options["has_aux"] = call.args[2]
        options["name"] = Const(name)
        function = call.args[0] if call.args else options.pop("fun", None)

        def made(value: Value) -> Value:
            return Transformed("derivative", value, options, call.node)

        if function is None:
            return Native(name, lambda mm, inner: made(inner.args[0] if inner.args else UNKNOWN))
        return made(function)

    return handler


for _name in _DERIVATIVES:
    describe(f"jax.{_name}")(_derivative(_name))


@calls("derivative")
def call_derivative(m: Machine, function: Transformed, inner: Call) -> Value:
    """The value of calling `jax.grad(f)` and the like."""
    option = function.options["name"]
    name = str(option.value) if isinstance(option, Const) else "grad"
    argnums = argnum_list(m, function.options.get("argnums"))
    count = len(inner.args)
    if argnums is None or inner.open or any(not -count <= number < count for number in argnums):
        _evaluate_plainly(m, function.function, inner)
        return UNKNOWN
    picked = {number % count: known_argument(m, inner, number % count) for number in argnums}
    leaves = primal_leaves(m, inner, picked)
    is_ref = any(leaf.is_ref for leaf in leaves)
    used = None
    if is_ref and name == "jacfwd":
        stand_in = Call(inner.node, inner.args, {}, False, inner.nodes, {}, inner.texts)
        differentiate(
            m, stand_in, function.function, picked, "jax.jacfwd", dict(enumerate(inner.args))
        )
        used = m.recent.get("first use")
    m.state_fact(
        DerivativeTaken(
            m.site(inner.node), name, function_name(function.function), leaves,
            transform_call=function.site if isinstance(function.site, ast.AST) else None, used=used,
        )
    )  # fmt: skip
    if is_ref:
        return UNKNOWN
    has_aux = truth(function.options.get("has_aux"), False)
    trace = m.new_trace("grad", name, inner.node, function_name(function.function))
    forward = m.new_trace("vmap", name, inner.node, trace.function) if name in _FORWARD else None
    with m.tracing(trace) as log:
        if forward is not None:
            with m.tracing(forward):
                result = _evaluate_picked(m, function.function, inner, picked, trace.id)
        else:
            result = _evaluate_picked(m, function.function, inner, picked, trace.id)
    rehome(m, result, trace.id)
    differentiated = result
    if has_aux:
        pair = m.items(result).exact
        differentiated = pair[0] if pair is not None and len(pair) == 2 else UNKNOWN
    uses = rematerialised(m, log, what_matters(m, differentiated, frozenset()))
    if uses and name != "jacfwd":
        m.state_fact(RematerialisedDerivative(m.site(inner.node), name, trace.function, uses))
    result = out_of_trace(m, result, trace.id)
    aux: Value | None = None
    if has_aux:
        parts = m.items(result).exact
        result, aux = (
            (parts[0], parts[1]) if parts is not None and len(parts) == 2 else (UNKNOWN, UNKNOWN)
        )
    elif has_aux is None:
        return UNKNOWN
    if name in ("grad", "value_and_grad"):
        grads = [_like(m, value) for value in picked.values()]
    else:
        twice = name == "hessian"
        grads = [_jacobian(m, differentiated, value, twice) for value in picked.values()]
    listed = function.options.get("argnums")
    alone = listed is None or isinstance(listed, Const)
    gradient: Value = grads[0] if alone else Tuple(tuple(grads))
    if name == "value_and_grad":
        value = result if aux is None else Tuple((result, aux))
        return Tuple((value, gradient))
    return gradient if aux is None else Tuple((gradient, aux))


def _evaluate_picked(
    m: Machine, function: Value, inner: Call, picked: dict[int, Value], trace: int
) -> Value:
    args = tuple(
        into_trace(m, value, trace, taint=True) if index in picked else value
        for index, value in enumerate(inner.args)
    )
    return m.call(function, Call(inner.node, args, dict(inner.kwargs), False, (None,) * len(args)))


def _evaluate_plainly(m: Machine, function: Value, inner: Call) -> None:
    """The arguments are not known well enough to say what is differentiated."""
    args = tuple(UNKNOWN for _ in inner.args)
    m.call(function, Call(inner.node, args, {}, True, (None,) * len(args)))


def _jacobian(m: Machine, out: Value, value: Value, twice: bool) -> Value:
    """The Jacobian (or Hessian) of an array with respect to an array; its dtype is the argument's."""
    if isinstance(value, Const) and isinstance(value.value, (float, complex)):
        value = as_array(value)
    if not isinstance(value, Array):
        return UNKNOWN
    if isinstance(out, Const) and isinstance(out.value, (float, complex)):
        out = as_array(out)
    if not isinstance(out, Array) or out.shape is None or value.shape is None:
        return Array(origin="jax")
    dtype = value.dtype if value.dtype == out.dtype else None
    return Array((*out.shape, *value.shape, *(value.shape if twice else ())), dtype, False, "jax")


def _like(m: Machine, value: Value) -> Value:
    """A gradient: a tree like the argument."""

    def one(leaf: Value) -> Value:
        if isinstance(leaf, Const) and isinstance(leaf.value, (bool, int, float, complex)):
            leaf = as_array(leaf)
        return Array(leaf.shape, leaf.dtype, False) if isinstance(leaf, Array) else UNKNOWN

    return map_leaves(value, m.st, one, m.allocate)


@describe("jax.jvp")
def jvp(m: Machine, call: Call) -> Value:
    """`jax.jvp(fun, primals, tangents)`."""
    function = call.argument(0, "fun", UNKNOWN) or UNKNOWN
    primals = m.items(call.argument(1, "primals", UNKNOWN) or UNKNOWN).exact
    tangents = m.items(call.argument(2, "tangents", UNKNOWN) or UNKNOWN).exact
    if primals is None:
        return UNKNOWN
    words = call.texts[1] if len(call.texts) > 1 else ""
    node = call.nodes[1] if len(call.nodes) > 1 else None
    if isinstance(node, (ast.Tuple, ast.List)):
        texts = tuple(m.source(item) for item in node.elts)
    else:
        texts = tuple(f"{words}[{index}]" for index in range(len(primals)))
    stand_in = Call(call.node, tuple(primals), {}, False, (None,) * len(primals), {}, texts)
    positions = dict(enumerate(primals))
    leaves = primal_leaves(m, stand_in, positions)
    out, _, aux = differentiate(m, stand_in, function, positions, "jax.jvp")
    used = m.recent.get("first use")
    m.state_fact(
        DerivativeTaken(
            m.site(call.node),
            "jvp",
            function_name(function),
            leaves,
            tangents or (),
            call.node,
            used,
        )
    )
    return Tuple((out, out) if aux is None else (out, out, aux))


@describe("jax.linearize")
def linearize(m: Machine, call: Call) -> Value:
    """`jax.linearize(fun, *primals)`."""
    function = call.argument(0, "fun", UNKNOWN) or UNKNOWN
    positions = dict(enumerate(call.args[1:], 1))
    leaves = primal_leaves(m, call, positions)
    out, _, aux = differentiate(m, call, function, positions, "jax.linearize")

    def linear(mm: Machine, inner: Call) -> Value:
        mm.state_fact(
            DerivativeTaken(
                mm.site(inner.node),
                "linearize",
                function_name(function),
                leaves,
                inner.args,
                call.node,
            )
        )
        return out

    pushforward = Native("f_lin", linear)
    return Tuple((out, pushforward) if aux is None else (out, pushforward, aux))

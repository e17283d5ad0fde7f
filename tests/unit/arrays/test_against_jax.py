"""Every function, method and operator against JAX and NumPy themselves."""

from __future__ import annotations

import itertools
import operator
import os
import random
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from typing import Any
from zlib import crc32

import pytest

pytest.importorskip("jax")

import array_samples
import jax
import jax.numpy as jnp
import numpy as np
from array_oracle import (
    BATCH,
    BLURS,
    A,
    Run,
    Sample,
    a,
    abstract,
    answered,
    blurred,
    disagreements,
    function,
    mapped,
    measure,
    n,
    takes,
)

from jaxref.domain.values import Array, Const
from jaxref.jaxmodel.arrays import (
    ARRAY_FUNCTIONS,
    ArrayCall,
    array_attribute,
    array_method,
    at_update,
    binary_op,
    compare_op,
    index_shape,
    promote,
    unary_op,
)
from jaxref.jaxmodel.arrays.dtypes import DTYPES, Typed

F32, I32 = "float32", "int32"

TAINT_NOT_STATED = {
    ("jax.numpy.sign", (a("complex64", 3),)),
    ("jax.lax.sign", (a("complex64", 3),)),
}
"""Results that JAX 0.12 differentiates and JAX 0.10 does not."""

ALL_SAMPLES = bool(os.environ.get("JAXREF_ALL_SAMPLES"))

NOT_COMPARED = {
    "jax.lax.scatter", "jax.lax.scatter_add", "jax.lax.scatter_mul", "jax.lax.scatter_min",
    "jax.lax.scatter_max", "jax.lax.scatter_sub", "jax.lax.gather",
    "jax.lax.axis_size", "jax.lax.axis_index", "jax.lax.with_sharding_constraint",
}  # fmt: skip
"""Functions that need more than arguments: dimension numbers, a mesh, a mapped axis."""


@cache
def explicit_results() -> list[tuple[Sample, Any]]:
    """The explicit samples that the installed JAX accepts, with what it answers."""
    found: list[tuple[Sample, Any]] = []
    for sample in array_samples.explicit():
        called = function(sample.name)
        if called is None:
            continue
        try:
            found.append((sample, measure(called, sample.args, sample.kwargs, retry=True)))
        except Exception:
            continue
    return found


def pool_results(name: str) -> Iterator[tuple[Sample, Any]]:
    """General samples that the function accepts, with what it answers.

    After the first four that are accepted it is every third one, another third for each function,
    so that the suite stays quick; all of them where JAXREF_ALL_SAMPLES is set.
    """
    called = function(name)
    if called is None:
        return
    refused: Counter[int] = Counter()
    accepted, turn = 0, crc32(name.encode())
    for position, sample in enumerate(array_samples.pool(name)):
        if accepted >= 4 and (position + turn) % 3 and not ALL_SAMPLES:
            continue
        count = len(sample.args)
        if refused[count] > 15 or not takes(called, sample):
            continue
        try:
            yield sample, measure(called, sample.args, sample.kwargs, retry=False)
            refused[count] = 0
            accepted += 1
        except Exception:
            refused[count] += 1


def report(wrong: list[str], compared: int) -> None:
    assert compared > 0
    assert not wrong, f"{len(wrong)} of {compared} are wrong:\n" + "\n".join(wrong)


def test_the_functions_agree_on_samples_of_their_own() -> None:
    wrong = [
        f"{sample}: {texts}"
        for sample, real in explicit_results()
        if (texts := disagreements(answered(sample), real))
    ]
    report(wrong, len(explicit_results()))


GROUPS = sorted({name.rpartition(".")[0] for name in ARRAY_FUNCTIONS})


@pytest.mark.parametrize("group", GROUPS)
def test_the_functions_agree_on_general_samples(group: str) -> None:
    names = [name for name in ARRAY_FUNCTIONS if name.rpartition(".")[0] == group]
    own = Counter(sample.name for sample, _ in explicit_results())
    wrong: list[str] = []
    compared: Counter[str] = Counter()
    for name in names:
        for sample, real in pool_results(name):
            compared[name] += 1
            blurry = (name, sample.args) in TAINT_NOT_STATED
            if texts := disagreements(answered(sample), real, blurry=blurry):
                wrong.append(f"{sample}: {texts}")
    report(wrong, compared.total() + sum(own[name] for name in names))
    untried = [
        name
        for name in names
        if not compared[name] and not own[name] and function(name) is not None
    ]
    assert set(untried) <= NOT_COMPARED


@pytest.mark.parametrize("blur", list(BLURS))
def test_what_is_said_with_less_knowledge_is_still_true(blur: str) -> None:
    wrong = [
        f"{sample}: {texts}"
        for sample, real in explicit_results()
        if (texts := disagreements(answered(sample, blurred(blur)), real, blurry=True))
    ]
    report(wrong, len(explicit_results()))


def test_batched_results_are_told_from_others() -> None:
    def batched(x: Any) -> Any:
        def of_array(spec: A) -> Array:
            batch = BATCH if spec.origin == "jax" else frozenset()
            return replace(spec.abstract(), batch=batch)

        return mapped(x, of_array, Const)

    wrong: list[str] = []
    compared = 0
    seen: Counter[str] = Counter()
    for sample, _ in explicit_results():
        called = function(sample.name)
        seen[sample.name] += 1
        if called is None or sample.name.startswith("numpy.") or seen[sample.name] > 6:
            continue
        run = Run(called, sample.args, sample.kwargs)
        if not run.specs:
            continue
        try:
            real = run.measure_batched()
        except Exception:
            continue
        compared += 1
        if texts := disagreements(answered(sample, batched), real):
            wrong.append(f"{sample}: {texts}")
    report(wrong, compared)


OPERANDS: list[Any] = [
    a(F32, 3), a(F32, 2, 3), a(F32, 3, 3), a(F32), a(I32, 3), a("bool", 3), a("bfloat16", 3),
    a("complex64", 3), a("uint8", 3), a(F32, weak=True), a(I32, weak=True), n(F32, 3), n("float64", 3),
    n("int64", 3), n("int8", 3), n("bool", 3), n("float64"), n(F32), n("float16", 3),
    n("uint64", 3), 2, 2.0, 1j, True, 0, -1, a(F32, origin="python"), a(I32, origin="python"),
    a("bool", origin="python"), a("complex64", origin="python"),
]  # fmt: skip

BINARY = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv,
    "//": operator.floordiv, "%": operator.mod, "**": operator.pow, "@": operator.matmul,
    "&": operator.and_, "|": operator.or_, "^": operator.xor, "<<": operator.lshift,
    ">>": operator.rshift,
}  # fmt: skip
COMPARISONS = {
    "==": operator.eq, "!=": operator.ne, "<": operator.lt, "<=": operator.le,
    ">": operator.gt, ">=": operator.ge,
}  # fmt: skip
UNARY = {"-": operator.neg, "+": operator.pos, "~": operator.invert, "not": operator.not_}


@pytest.mark.parametrize("text", [*BINARY, *COMPARISONS])
def test_binary_operators_agree(text: str) -> None:
    compute = BINARY.get(text) or COMPARISONS[text]
    answer = binary_op if text in BINARY else compare_op
    wrong: list[str] = []
    compared = 0
    for left, right in itertools.product(OPERANDS, OPERANDS):
        try:
            real = measure(compute, (left, right), {}, retry=False)
        except Exception:
            continue
        compared += 1
        if texts := disagreements(answer(text, abstract(left), abstract(right)), real):
            wrong.append(f"{left} {text} {right}: {texts}")
    report(wrong, compared)


def test_unary_operators_agree() -> None:
    wrong: list[str] = []
    compared = 0
    for text, operand in itertools.product(UNARY, OPERANDS):
        try:
            real = measure(UNARY[text], (operand,), {}, retry=True)
        except Exception:
            continue
        compared += 1
        if texts := disagreements(unary_op(text, abstract(operand)), real):
            wrong.append(f"{text} {operand}: {texts}")
    report(wrong, compared)


ARRAYS = [
    a(F32, 3), a(F32, 2, 3), a(F32), a(I32, 3), a("bool", 3), a("bfloat16", 2, 3), a("complex64", 3),
    a(F32, 1, 3, 1), a(F32, weak=True), a(F32, 2, 3, 4), n(F32, 2, 3), n("int64", 3), n("float64"),
    n("bool", 3), n("uint8", 2, 3), a(F32, origin="python"), a(I32, origin="python"),
    a("key<fry>"), a("key<fry>", 3),
]  # fmt: skip

METHODS: list[tuple[Any, ...]] = [
    ("sum",), ("sum", 0), ("mean",), ("std",), ("var",), ("max",), ("min",), ("prod",),
    ("argmax",), ("argmin",), ("all",), ("any",), ("argsort",), ("sort",), ("cumsum",),
    ("cumsum", 0), ("cumprod",), ("ptp",), ("round",), ("conj",), ("conjugate",), ("ravel",),
    ("flatten",), ("transpose",), ("transpose", 0, 1), ("transpose", (1, 0)),
    ("transpose", None), ("reshape", -1), ("reshape", (3, -1)), ("reshape", 3, -1),
    ("reshape", (2, 3)), ("squeeze",), ("squeeze", 0), ("astype", F32), ("astype", I32),
    ("astype", float), ("astype", int), ("astype", "float64"), ("astype", bool), ("copy",),
    ("item",), ("tolist",), ("block_until_ready",), ("clip", 0, 1), ("dot", a(F32, 3)),
    ("swapaxes", 0, 1), ("take", 0), ("take", a(I32, 2)), ("repeat", 2), ("diagonal",),
    ("trace",), ("view", I32), ("view",), ("searchsorted", 1), ("nonzero",), ("fill", 1),
]  # fmt: skip

KEYWORD_METHODS: list[tuple[str, dict[str, Any]]] = [
    ("sum", {"axis": 0}), ("sum", {"axis": -1, "keepdims": True}), ("sum", {"dtype": I32}),
    ("mean", {"axis": 0, "dtype": F32}), ("reshape", {"shape": (-1,)}),
    ("astype", {"dtype": "bfloat16"}),
]  # fmt: skip

ATTRIBUTES = ("shape", "dtype", "ndim", "size", "T", "mT", "real", "imag", "weak_type", "nbytes")


def member_results() -> Iterator[tuple[str, A, Any, Any]]:
    """Each method, attribute and `.at` update on each array: the answer, and a way to measure."""
    for x in ARRAYS:
        for name, *args in METHODS:
            given = ArrayCall(name, tuple(abstract(arg) for arg in args))
            yield (
                f".{name}{args}",
                x,
                array_method(x.abstract(), name, given),
                lambda v, name=name, args=args: getattr(v, name)(*(_real(arg) for arg in args)),
            )
        for name, kwargs in KEYWORD_METHODS:
            named = {key: abstract(value) for key, value in kwargs.items()}
            yield (
                f".{name}({kwargs})",
                x,
                array_method(x.abstract(), name, ArrayCall(name, (), named)),
                lambda v, name=name, kwargs=kwargs: getattr(v, name)(**kwargs),
            )
        for name in ATTRIBUTES:
            yield (
                f".{name}",
                x,
                array_attribute(x.abstract(), name),
                lambda v, name=name: getattr(v, name),
            )
        if x.origin != "jax":
            continue
        for name in ("set", "add", "multiply", "divide", "min", "max", "power"):
            yield (
                f".at[0].{name}(2)",
                x,
                at_update(x.abstract(), name, ArrayCall(name, (Const(2),))),
                lambda v, name=name: getattr(v.at[0], name)(2),
            )


def _real(x: Any) -> Any:
    return x.real() if isinstance(x, A) else x


def test_methods_and_attributes_agree() -> None:
    wrong: list[str] = []
    compared = 0
    for label, x, found, called in member_results():
        if found is None:
            continue
        try:
            real = measure(called, (x,), {}, retry=True)
        except Exception:
            continue
        compared += 1
        if texts := disagreements(found, real):
            wrong.append(f"{x}{label}: {texts}")
    report(wrong, compared)


INDEX_ITEMS: list[Any] = [
    0, -1, slice(None), slice(1, 3), slice(None, None, 2), slice(None, None, -1), slice(-2, None),
    Ellipsis, None, np.array([0, 1]), np.array([[0], [1]]), np.array(1), a(I32, origin="python"),
]  # fmt: skip


def _abstract_item(item: Any) -> Any:
    if isinstance(item, A):
        return item.abstract()
    if isinstance(item, np.ndarray):
        return Array(item.shape, str(item.dtype), False, "numpy")
    return Const(item)


@pytest.mark.parametrize("shape", [(4, 5, 6, 3), (4, 5, 6), (4, 5), (4,)])
def test_indexing_agrees(shape: tuple[int, ...]) -> None:
    x = np.zeros(shape, np.float32)
    wrong: list[str] = []
    compared = 0
    chosen = random.Random(0)
    indices = [c for k in (1, 2, 3) for c in itertools.product(INDEX_ITEMS, repeat=k)]
    indices += [tuple(chosen.choices(INDEX_ITEMS, k=4)) for _ in range(2000)]
    for items in indices:
        real_items = tuple(_real(item) for item in items)
        try:
            real: tuple[int, ...] | None = x[real_items].shape
        except IndexError:
            real = None
        compared += 1
        found = index_shape(shape, [_abstract_item(item) for item in items])
        if found != real:
            wrong.append(f"{items}: {found}, really {real}")
    report(wrong, compared)


def test_indexing_of_jax_arrays_agrees_with_numpy() -> None:
    x = jnp.zeros((4, 5, 6))
    items = [slice(None), Ellipsis, np.array([[0], [1]]), 1, None]
    compared = 0
    for index in itertools.product(items, repeat=4):
        try:
            real = jax.eval_shape(lambda v, index=index: v[index], x).shape
        except (IndexError, TypeError):
            continue
        compared += 1
        assert index_shape(x.shape, [_abstract_item(item) for item in index]) == real, index
    assert compared > 50


def test_promotion_agrees_for_every_pair_of_dtypes() -> None:
    compared = 0
    for first, second in itertools.product(sorted(DTYPES), repeat=2):
        if "64" in first + second or "128" in first + second:
            continue
        for weak in (False, True):
            if weak and second not in ("int32", "float32"):
                continue
            try:
                left = jnp.zeros((), jnp.dtype(first))
                right = jnp.asarray(0 if second == "int32" else 0.0) if weak else None
                other = jnp.zeros((), jnp.dtype(second)) if right is None else right
            except Exception:
                continue
            try:
                dtype, is_weak = jax.dtypes.result_type(left, other, return_weak_type_flag=True)
            except Exception:
                dtype, is_weak = None, None
            found = promote(Typed(first, False), Typed(second, weak))
            compared += 1
            if dtype is None:
                assert found.dtype is None, (first, second)
            else:
                assert found == (str(dtype), is_weak), (first, second, weak)
    assert compared > 400


def test_the_measured_flag_is_what_a_store_into_a_ref_asks() -> None:
    x = jnp.array([1.5, 2.5, 0.3])
    rejected = "non-differentiated"
    for name in ("floor", "sign", "round", "argmax", "zeros_like", "sin", "copy", "isnan"):
        called = function(f"jax.numpy.{name}")
        assert called is not None
        outcome = measure(called, (a(F32, 3),), {}, retry=False)
        ref = jax.new_ref(jnp.zeros(outcome.shape, outcome.dtype))

        def store(v: Any, called: Any = called, ref: Any = ref) -> Any:
            ref[...] = called(v)
            return v.sum()

        try:
            jax.vjp(store, x)
            raised = False
        except Exception as error:
            assert rejected in str(error)
            raised = True
        assert raised == outcome.differentiated, name

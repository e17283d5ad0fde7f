"""Dtype names and promotion, without JAX."""

from __future__ import annotations

import itertools

import pytest

from jaxref.jaxmodel.arrays import (
    canonical_dtype,
    dtype_argument,
    dtype_name,
    dtype_of_const,
    promote,
)
from jaxref.jaxmodel.arrays.dtypes import DTYPES, Typed, numpy_promote, promote_all


@pytest.mark.parametrize(
    ("name", "numpy", "jax"),
    [
        ("jax.numpy.float32", "float32", "float32"),
        ("builtins.float", "float64", "float32"),
        ("int", "int64", "int32"),
        ("numpy.int64", "int64", "int32"),
        ("f4", "float32", "float32"),
        ("<f8", "float64", "float32"),
        ("complex", "complex128", "complex64"),
        ("bool_", "bool", "bool"),
        ("ml_dtypes.bfloat16", "bfloat16", "bfloat16"),
        ("key<fry>", "key<fry>", "key<fry>"),
        ("jax.numpy.sin", None, None),
        ("floating", None, None),
        ("", None, None),
    ],
)
def test_names(name: str, numpy: str | None, jax: str | None) -> None:
    assert dtype_name(name) == numpy
    assert canonical_dtype(name) == jax


def test_abstract_types_are_arguments_but_no_dtypes() -> None:
    assert dtype_argument("jax.numpy.floating") == "floating"
    assert dtype_argument("jax.numpy.float64") == "float64"
    assert dtype_argument("jax.numpy.sin") is None


def test_python_numbers_are_weak_except_bools() -> None:
    assert dtype_of_const(True) == ("bool", False)
    assert dtype_of_const(3) == ("int32", True)
    assert dtype_of_const(2.0) == ("float32", True)
    assert dtype_of_const(1j) == ("complex64", True)
    assert dtype_of_const("3") == (None, None)


def test_promotion_is_symmetric_and_idempotent() -> None:
    for a, b in itertools.product(DTYPES, repeat=2):
        for weak_a, weak_b in itertools.product((True, False, None), repeat=2):
            first, second = Typed(a, weak_a), Typed(b, weak_b)
            assert promote(first, second) == promote(second, first)
        assert promote(Typed(a, False), Typed(a, False)) == (a, False)


def test_an_unknown_weak_type_leaves_the_dtype_open_only_where_it_matters() -> None:
    maybe_weak = Typed("float32", None)
    assert promote(maybe_weak, Typed("bfloat16", False)) == (None, None)
    assert promote(maybe_weak, Typed("float32", False)) == ("float32", False)
    assert promote(maybe_weak, Typed("int32", False)) == ("float32", None)
    assert promote(Typed(None, None), Typed("float32", False)) == (None, None)


def test_order_does_not_matter_among_many() -> None:
    types = [Typed("bool", False), Typed("int32", True), Typed("bfloat16", False)]
    for order in itertools.permutations(types):
        assert promote_all(order) == ("bfloat16", False)


def test_numpy_sees_only_the_kind_of_a_python_number() -> None:
    assert numpy_promote(["float32"], ["float32"]) == "float32"
    assert numpy_promote(["int8"], ["float32"]) == "float64"
    assert numpy_promote(["int8"], ["int32"]) == "int8"
    assert numpy_promote(["int8", "uint8"], []) == "int16"
    assert numpy_promote(["int64", "uint64"], []) == "float64"
    assert numpy_promote([], ["int32", "float32"]) == "float64"
    assert numpy_promote(["float32", None], []) is None

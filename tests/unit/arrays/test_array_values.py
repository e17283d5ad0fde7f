"""What is said of arrays without JAX: shapes with unknown sizes, operators, taint, text."""

from __future__ import annotations

from typing import Any

import pytest

from jaxref.domain.values import UNKNOWN, Array, Const, ShapeStruct, Unknown
from jaxref.jaxmodel.arrays import (
    ARRAY_FUNCTIONS,
    PYTHON_INT,
    ArrayCall,
    IndexSlice,
    array_attribute,
    array_method,
    at_update,
    aval_text,
    binary_op,
    compare_op,
    index_array,
    index_shape,
    unary_op,
    without_width,
)

TAINT = frozenset({7})
BATCH = frozenset({3})


def array(*shape: int | None, dtype: str | None = "float32", **rest: Any) -> Array:
    return Array(shape, dtype, False, **rest)


def called(name: str, *args: Any, **kwargs: Any) -> Any:
    return ARRAY_FUNCTIONS[name](ArrayCall(name, args, kwargs))


def test_unknown_sizes_meet_known_ones() -> None:
    assert binary_op("+", array(None, 3), array(4, 1)).shape == (4, 3)  # type: ignore[attr-defined]
    assert binary_op("+", array(None), array(1)).shape == (None,)  # type: ignore[attr-defined]
    assert binary_op("+", array(2), array(3)).shape is None  # type: ignore[attr-defined]
    assert called("jax.numpy.matmul", array(None, 3), array(3, 5)).shape == (None, 5)
    assert called("jax.numpy.reshape", array(None, 3), Const((-1,))).shape == (None,)
    assert called("jax.numpy.reshape", array(4, 3), Const((-1, 6))).shape == (2, 6)
    assert called("jax.numpy.reshape", array(4, 3), Const((5, -1))).shape is None
    assert called("jax.numpy.reshape", array(None), Const((2, 3))).shape == (2, 3)
    assert called("jax.numpy.concatenate", [array(2, 3), array(None, 3)]).shape == (None, 3)
    assert called("jax.numpy.stack", array(None, 3, origin="any")).shape == (None, 3)
    assert called("jax.numpy.stack", array(None, 3, origin="any"), axis=Const(1)).shape == (3, None)


def test_a_size_known_of_one_operand_is_known_of_both() -> None:
    assert called("jax.numpy.stack", [array(None), array(3)]).shape == (2, 3)
    both = [array(None, 3), array(2, None)]
    assert called("jax.numpy.concatenate", both, Const(1)).shape == (2, None)
    assert called("jax.numpy.einsum", Const("ij,ij->ij"), *both).shape == (2, 3)


def test_shapes_from_numbers_of_unknown_value() -> None:
    assert called("jax.numpy.zeros", PYTHON_INT).shape == (None,)
    assert called("jax.numpy.zeros", UNKNOWN).shape is None
    assert called("jax.numpy.zeros", (UNKNOWN, Const(3))).shape == (None, 3)
    assert called("jax.numpy.arange", PYTHON_INT) == Array((None,), "int32", False)
    assert called("jax.numpy.zeros", array(2, dtype="int64", origin="numpy")).shape == (None, None)


def test_an_argument_that_is_not_known_leaves_only_what_it_decides_open() -> None:
    made = called("jax.numpy.sum", array(2, 3, taint=TAINT), axis=UNKNOWN)
    assert (made.shape, made.dtype, made.taint) == (None, "float32", TAINT)
    made = called("jax.numpy.zeros", Const((2, 3)), UNKNOWN)
    assert (made.shape, made.dtype) == ((2, 3), None)
    made = called("jax.numpy.sum", array(2, 3), no_such_option=Const(1))
    assert (made.shape, made.dtype) == (None, None)
    made = ARRAY_FUNCTIONS["jax.numpy.sin"](ArrayCall("jax.numpy.sin", (array(2),), open=True))
    assert made == Array()


def test_taint_and_batch_flow_as_jax_differentiates() -> None:
    x = array(3, taint=TAINT, batch=BATCH)
    flowing = called("jax.numpy.sin", x)
    assert (flowing.taint, flowing.batch) == (TAINT, BATCH)
    stepping = called("jax.numpy.floor", x)
    assert (stepping.taint, stepping.batch) == (frozenset(), BATCH)
    form = called("jax.numpy.zeros_like", x)
    assert (form.taint, form.batch) == (frozenset(), frozenset())
    assert called("jax.lax.stop_gradient", x).taint == frozenset()
    assert (
        called("jax.numpy.where", array(3, dtype="bool", batch=BATCH), Const(1.0), x).taint == TAINT
    )
    assert compare_op(">", x, Const(0)).taint == frozenset()  # type: ignore[attr-defined]
    assert compare_op(">", x, Const(0)).batch == BATCH  # type: ignore[attr-defined]
    assert binary_op("*", x, Const(0)).taint == TAINT  # type: ignore[attr-defined]
    assert binary_op("**", x, Const(0)).taint == frozenset()  # type: ignore[attr-defined]


def test_an_array_beside_an_unknown_keeps_its_taint() -> None:
    made = binary_op("+", array(3, taint=TAINT), UNKNOWN)
    assert made == Array(None, None, None, "jax", TAINT)
    assert isinstance(binary_op("+", UNKNOWN, Const(1)), Unknown)


def test_constants_are_computed() -> None:
    assert binary_op("*", Const(2), Const(3)) == Const(6)
    assert binary_op("/", Const(1), Const(0)) == UNKNOWN
    assert binary_op("**", Const(9), Const(9**9)) == UNKNOWN
    assert binary_op("<<", Const(1), Const(10**9)) == UNKNOWN
    assert binary_op("+", Const("a"), Const("b")) == Const("ab")
    assert compare_op("==", Const("float32"), Const("float32")) == Const(True)
    assert compare_op("==", Const("float32"), Const("f4")) == UNKNOWN
    assert compare_op("is", array(3), Const(None)) == Const(False)
    assert unary_op("not", Const(0)) == Const(True)


def test_indexing_with_less_than_constants() -> None:
    bounded = IndexSlice(Const(0), PYTHON_INT)
    assert index_shape((5, 3), [bounded]) == (None, 3)
    assert index_shape((None, 3), [Const(slice(1, 2))]) == (None, 3)
    assert index_shape((5, 3), [PYTHON_INT]) == (3,)
    assert index_shape((5, 3), [UNKNOWN]) is None
    assert index_shape((5, 3), [array(5, dtype="bool")]) is None
    assert index_shape((5, 3), [array(2, dtype=None)]) is None
    assert index_shape((5, 3), [array(None, dtype="int32"), Const(0)]) == (None,)
    assert index_shape((5, 3), [Const(7)]) is None
    assert index_shape(None, [Const(0)]) is None


def test_a_list_is_one_index_and_a_tuple_many() -> None:
    x = array(5, 3, taint=TAINT)
    assert index_array(x, [Const(0), Const(1)]).shape == (2, 3)
    assert index_array(x, (Const(0), Const(1))).shape == ()
    assert index_array(x, Const((0, 1))).shape == ()
    assert index_array(x, Const([0, 1])).shape == (2, 3)
    assert index_array(x, Const(0)) == array(3, taint=TAINT)


def test_attributes() -> None:
    x = array(2, None)
    assert array_attribute(x, "shape") == (Const(2), PYTHON_INT)
    assert array_attribute(x, "T") == array(None, 2)
    assert array_attribute(x, "ndim") == Const(2)
    assert array_attribute(x, "size") == PYTHON_INT
    assert array_attribute(x, "dtype") == Const("float32")
    assert array_attribute(Array(), "shape") is None
    assert array_attribute(x, "no_such") is None


def test_methods_that_are_not_known_say_nothing() -> None:
    assert array_method(array(3), "no_such", ArrayCall("no_such")) is None
    assert array_method(Array(origin="any"), "sum", ArrayCall("sum")) is None
    assert at_update(array(3), "get", ArrayCall("get")) is None


def test_numpy_hands_jax_arrays_to_their_own_methods() -> None:
    assert called("numpy.sum", array(3, dtype="int32", taint=TAINT)).origin == "jax"
    assert called("numpy.sum", array(3, dtype="int32", origin="numpy")).dtype == "int64"
    assert called("numpy.sum", UNKNOWN).origin == "any"


def test_64_bit_types_switched_on_leave_widths_open() -> None:
    assert without_width(array(3)) == Array((3,), None, None)
    assert without_width((array(3, dtype="bfloat16"),)) == (array(3, dtype="bfloat16"),)
    assert without_width(array(3, origin="numpy")) == array(3, origin="numpy")


@pytest.mark.parametrize(
    ("value", "text"),
    [
        (array(3), "float32[3]"),
        (array(), "float32[]"),
        (array(3, None), "float32[3,?]"),
        (Array(None, "int32"), "int32[...]"),
        (Array((2,)), "?[2]"),
        (Const(2.0), "float32[]"),
        (Const(True), "bool[]"),
        (ShapeStruct((2, 3), "bfloat16"), "bfloat16[2,3]"),
        (Const("text"), None),
        (UNKNOWN, None),
    ],
)
def test_text(value: Any, text: str | None) -> None:
    assert aval_text(value) == text
    assert aval_text(value, ref=True) == (f"Ref{{{text}}}" if text is not None else None)

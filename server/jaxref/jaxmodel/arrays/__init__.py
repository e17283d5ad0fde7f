"""Shapes and dtypes: what the array functions of JAX and NumPy make of abstract values.

Everything here is a pure function on `jaxref.domain.values`; nothing knows of the interpreter.

- `ARRAY_FUNCTIONS[name](ArrayCall(name, args, kwargs))` answers a call of a function by its
  canonical name ("jax.numpy.sin"): an `Array`, a Python tuple or list of results, or a `Const`.
- `array_method`, `array_attribute`, `at_update` answer `x.sum()`, `x.T`, `x.at[i].add(y)`.
- `binary_op`, `unary_op`, `compare_op` answer Python's operators on arrays, numbers and constants.
- `index_array(x, items)` answers `x[items]`; `index_shape` is its shape alone.
- `aval_text` writes a value as JAX prints its type.
- `canonical_dtype`, `dtype_name`, `promote`: dtypes by name. A dtype object is the `Const` of its
  name: `x.dtype` is `Const("float32")`, and so is what stands for `jnp.float32` as an argument.

A dtype, a shape, a dimension or a weak type that is not certain is None: a wrong one would be a
false alarm, a missing one is silence. Taint and batch of a result are those of all arguments,
except where JAX does not differentiate (`floor`, comparisons, whole numbers, `stop_gradient`) or
looks at the form only (`zeros_like`). 64-bit types are taken to be off; `without_width` forgets
what that decides. The tests compare every function with JAX itself.
"""

from __future__ import annotations

from jaxref.jaxmodel.arrays.call import ArrayCall, IndexSlice, Operand, as_array
from jaxref.jaxmodel.arrays.dtypes import (
    Typed,
    canonical_dtype,
    dtype_argument,
    dtype_name,
    dtype_of_const,
    promote,
)
from jaxref.jaxmodel.arrays.indexing import index_array, index_shape
from jaxref.jaxmodel.arrays.methods import array_attribute, array_method, at_update
from jaxref.jaxmodel.arrays.operators import binary_op, compare_op, unary_op
from jaxref.jaxmodel.arrays.registry import ARRAY_FUNCTIONS, Result
from jaxref.jaxmodel.arrays.shapes import PYTHON_INT, shape_value
from jaxref.jaxmodel.arrays.text import aval_text, shape_text
from jaxref.jaxmodel.arrays.width import without_width

__all__ = [
    "ARRAY_FUNCTIONS",
    "PYTHON_INT",
    "ArrayCall",
    "IndexSlice",
    "Operand",
    "Result",
    "Typed",
    "array_attribute",
    "array_method",
    "as_array",
    "at_update",
    "aval_text",
    "binary_op",
    "canonical_dtype",
    "compare_op",
    "dtype_argument",
    "dtype_name",
    "dtype_of_const",
    "index_array",
    "index_shape",
    "promote",
    "shape_text",
    "shape_value",
    "unary_op",
    "without_width",
]

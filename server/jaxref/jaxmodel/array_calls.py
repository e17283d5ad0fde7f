"""Array functions, methods and operators on the interpreter's values."""

from __future__ import annotations

import ast

from jaxref.domain.heap import DictObject, ListObject
from jaxref.domain.values import (
    UNKNOWN,
    Array,
    Const,
    DictV,
    ListV,
    Method,
    RefValue,
    Sentinel,
    ShapeStruct,
    Symbol,
    Tuple,
    Union,
    Unknown,
    Value,
)
from jaxref.facts import PlaceholderUsed, RefMisused
from jaxref.jaxmodel.arrays import (
    ARRAY_FUNCTIONS,
    ArrayCall,
    IndexSlice,
    Operand,
    array_attribute,
    array_method,
    as_array,
    at_update,
    binary_op,
    compare_op,
    dtype_name,
    index_array,
    unary_op,
)

TYPE_CHECKING = False
if TYPE_CHECKING:
    from jaxref.interp.machine import Machine
    from jaxref.jaxmodel.registry import Call

MAX_OPERAND_ITEMS = 256

REF_FRIENDLY = frozenset(
    {"zeros_like", "ones_like", "full_like", "empty_like", "shape", "ndim", "result_type",
     "iscomplexobj", "isrealobj", "issubdtype", "dtype", "stop_gradient"}
)  # fmt: skip
"""Functions that take a ref: they look at its type only. Measured with JAX 0.12."""


def is_slice(value: Value) -> bool:
    """True for a slice whose bounds are not all known."""
    return isinstance(value, IndexSlice)


def operand(m: Machine, value: Value, depth: int = 0) -> Operand:
    """A value in the form that `jaxmodel.arrays` takes."""
    if isinstance(value, (Array, Const, ShapeStruct, IndexSlice)):
        return value
    if isinstance(value, RefValue):
        return Array(value.shape, value.dtype, False)
    if depth > 8:
        return UNKNOWN
    if isinstance(value, Tuple):
        return tuple(operand(m, item, depth + 1) for item in value.items)
    if isinstance(value, ListV):
        found = m.object(value.id)
        assert isinstance(found, ListObject)
        if found.items is None or len(found.items) > MAX_OPERAND_ITEMS:
            return _unknown_length(m, found, depth)
        return [operand(m, item, depth + 1) for item in found.items]
    if isinstance(value, DictV):
        entries = m.object(value.id)
        assert isinstance(entries, DictObject)
        return {key: operand(m, item, depth + 1) for key, item in entries.entries.items()}
    if isinstance(value, Symbol):
        name = dtype_name(value.name.removeprefix("builtins."))
        return UNKNOWN if name is None else Const(name)
    return UNKNOWN


def _unknown_length(m: Machine, found: ListObject, depth: int) -> Operand:
    """A list of unknown length as an array of one axis more than its items."""
    inner = operand(m, found.rest, depth + 1)
    if isinstance(inner, (Array, Const)):
        item = as_array(inner)
        shape = None if item.shape is None else (None, *item.shape)
        return Array(shape, item.dtype, None, "any", item.taint, item.batch)
    return UNKNOWN


def value_from(m: Machine, result: object) -> Value:
    """A result of `jaxmodel.arrays` as a value."""
    if isinstance(result, Value):
        return result
    if isinstance(result, tuple):
        return Tuple(tuple(value_from(m, item) for item in result))
    if isinstance(result, list):
        return m.new_list(tuple(value_from(m, item) for item in result))
    return UNKNOWN


def refs_in(m: Machine, value: Value, depth: int = 0) -> list[RefValue]:
    """The refs in an argument of an array function, lists and tuples looked into."""
    if isinstance(value, RefValue):
        return [value]
    if depth > 3:
        return []
    if isinstance(value, Tuple):
        return [ref for item in value.items for ref in refs_in(m, item, depth + 1)]
    if isinstance(value, ListV):
        found = m.object(value.id)
        if isinstance(found, ListObject):
            items = found.items if found.items is not None else (found.rest,)
            return [ref for item in items for ref in refs_in(m, item, depth + 1)]
    if isinstance(value, Union):
        refs = [option for option in value.options if isinstance(option, RefValue)]
        return refs if len(refs) == len(value.options) else []
    return []


def function(m: Machine, name: str, call: Call) -> Value:
    """A call of the array function `name`."""
    short = name.rpartition(".")[2]
    if short not in REF_FRIENDLY and note_refs(m, name, call):
        return UNKNOWN
    handler = ARRAY_FUNCTIONS.get(name)
    if handler is None:
        return UNKNOWN
    args = tuple(operand(m, value) for value in call.args)
    kwargs = {key: operand(m, value) for key, value in call.kwargs.items()}
    return value_from(m, handler(ArrayCall(name, args, kwargs, call.open)))


def note_refs(m: Machine, name: str, call: Call) -> bool:
    """State that refs or placeholders are arguments of an array function; True when there are any."""
    if not isinstance(call.node, ast.expr):
        return False
    arguments = [*enumerate(call.args), *((0, value) for value in call.kwargs.values())]
    for position, value in arguments:
        if isinstance(value, Sentinel) and value.instance and value.origin is not None:
            m.state_fact(PlaceholderUsed(m.site(call.node), value, f"`{name}`"))
            return True
        refs = refs_in(m, value)
        if refs:
            ref = refs[0]
            m.touch(ref, call.node)
            if name.startswith("jax.random."):
                how = "key" if position == 0 else "function"
            elif name.startswith("jax.lax."):
                how = "primitive"
            elif name.startswith("numpy."):
                # NumPy takes a scalar ref for an object and other refs for sequences.
                how = "iterate" if ref.shape != () else "function"
                if ref.shape == () and name in ("numpy.asarray", "numpy.array"):
                    return True
            else:
                how = "function"
            expression = call.nodes[position] if position < len(call.nodes) else None
            m.state_fact(
                RefMisused(
                    m.site(call.node), ref, m.ref_object(ref), how, name, position, None, expression
                )
            )
            return True
    return False


def attribute(m: Machine, value: Array | Const, name: str) -> Value:
    """An attribute of an array or a number; a method when it has no value."""
    array = value if isinstance(value, Array) else as_array(value)
    if isinstance(array, Array):
        found = array_attribute(array, name)
        if found is not None:
            return value_from(m, found)
    if isinstance(value, Array):
        return Method(value, name)
    return Unknown(f"attribute {name}")


def method(m: Machine, value: Array, name: str, call: Call) -> Value:
    """A method of an array."""
    if call.args and note_refs(m, f"jax.Array.{name}", call):
        return UNKNOWN
    args = tuple(operand(m, argument) for argument in call.args)
    kwargs = {key: operand(m, argument) for key, argument in call.kwargs.items()}
    found = array_method(value, name, ArrayCall(name, args, kwargs, call.open))
    if found is None:
        return Array(None, None, None, "any", value.taint, value.batch)
    return value_from(m, found)


def update_at(m: Machine, array: Array, index_value: Value, name: str, call: Call) -> Value:
    """`array.at[index].name(...)`."""
    args = tuple(operand(m, argument) for argument in call.args)
    kwargs = {key: operand(m, argument) for key, argument in call.kwargs.items()}
    if name == "get":
        return index(m, array, index_value)
    found = at_update(array, name, ArrayCall(name, args, kwargs, call.open))
    return UNKNOWN if found is None else value_from(m, found)


def index_operand(m: Machine, value: Value) -> Operand:
    """An index as `jaxmodel.arrays` takes it."""
    return operand(m, value)


def index(m: Machine, array: Array, value: Value, node: ast.expr | None = None) -> Value:
    """`array[value]`."""
    for ref in refs_in(m, value):
        if node is not None:
            m.touch(ref, node)
            m.state_fact(
                RefMisused(m.site(node), ref, m.ref_object(ref), "index", "an index", 0, None, node)
            )
        return UNKNOWN
    return value_from(m, index_array(array, index_operand(m, value)))


def _number(m: Machine, value: Value) -> Value:
    if isinstance(value, (Tuple, ListV)):
        found = operand(m, value)
        if isinstance(found, (tuple, list)):
            return as_array(found)
    return value


def _with_traces(result: Value, left: Value, right: Value) -> Value:
    """Unknown beside an array is an array of which only the traces are known."""
    if isinstance(result, Unknown):
        arrays = [value for value in (left, right) if isinstance(value, Array)]
        if arrays and any(value.origin == "jax" or value.taint for value in arrays):
            others = [v for v in (left, right) if not isinstance(v, (Array, Const, Unknown))]
            if not others:
                taint = frozenset[int]().union(*[value.taint for value in arrays])
                batch = frozenset[int]().union(*[value.batch for value in arrays])
                return Array(None, None, None, "any", taint, batch)
    return result


def binary(m: Machine, text: str, left: Value, right: Value) -> Value:
    """`left text right` on arrays and numbers."""
    if isinstance(left, Array):
        right = _number(m, right)
    elif isinstance(right, Array):
        left = _number(m, left)
    return _with_traces(binary_op(text, left, right), left, right)


def unary(m: Machine, text: str, value: Value) -> Value:
    """`text value`."""
    return unary_op(text, value)


def comparison(m: Machine, text: str, left: Value, right: Value) -> Value:
    """`left text right` for comparisons."""
    return compare_op(text, left, right)

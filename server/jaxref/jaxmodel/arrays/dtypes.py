"""Dtype names, JAX's type promotion with weak types, and NumPy's.

A dtype is JAX's name for it ("float32", "bfloat16", "key<fry>"), None where it is not known. A
`Typed` pairs it with JAX's weak type, None where that is not known. JAX is taken to run with its
defaults: 64-bit types off, standard promotion, threefry keys.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache, lru_cache

from jaxref.quick_dataclasses import NamedTuple

KEY = "key<fry>"
FLOAT0 = "float0"

_SMALL_INTS = ("int1", "int2", "int4")
_SMALL_UINTS = ("uint1", "uint2", "uint4")
_INTS = ("int8", "int16", "int32", "int64")
_UINTS = ("uint8", "uint16", "uint32", "uint64")
_FLOATS = ("bfloat16", "float16", "float32", "float64")
_COMPLEX = ("complex64", "complex128")
_OPAQUE_FLOATS = (
    "float4_e2m1fn",
    "float6_e2m3fn",
    "float6_e3m2fn",
    "float8_e3m4",
    "float8_e4m3",
    "float8_e4m3b11fnuz",
    "float8_e4m3fn",
    "float8_e4m3fnuz",
    "float8_e5m2",
    "float8_e5m2fnuz",
    "float8_e8m0fnu",
)

_KINDS = {
    "bool": "b",
    **dict.fromkeys(_SMALL_INTS + _INTS, "i"),
    **dict.fromkeys(_SMALL_UINTS + _UINTS, "u"),
    **dict.fromkeys(_FLOATS + _OPAQUE_FLOATS, "f"),
    **dict.fromkeys(_COMPLEX, "c"),
}

DTYPES = frozenset(_KINDS)
"""Every dtype name this package reasons about, keys and float0 aside."""

_BITS = {
    name: int(name.lstrip("abcdefghijklmnopqrstuvwxyz"))
    for name in _INTS + _UINTS + _FLOATS + _COMPLEX
}

_NARROWED = {
    "int64": "int32",
    "uint64": "uint32",
    "float64": "float32",
    "complex128": "complex64",
}

_ALIASES = {
    "bool_": "bool",
    "?": "bool",
    "int": "int64",
    "int_": "int64",
    "uint": "uint64",
    "float": "float64",
    "float_": "float64",
    "complex": "complex128",
    "complex_": "complex128",
    "half": "float16",
    "single": "float32",
    "double": "float64",
    "csingle": "complex64",
    "cdouble": "complex128",
    "byte": "int8",
    "ubyte": "uint8",
    "short": "int16",
    "ushort": "uint16",
    "intc": "int32",
    "uintc": "uint32",
    "longlong": "int64",
    "ulonglong": "uint64",
    "intp": "int64",
    "uintp": "uint64",
    **{f"i{size}": f"int{8 * size}" for size in (1, 2, 4, 8)},
    **{f"u{size}": f"uint{8 * size}" for size in (1, 2, 4, 8)},
    **{f"f{size}": f"float{8 * size}" for size in (2, 4, 8)},
    **{f"c{size}": f"complex{8 * size}" for size in (8, 16)},
}

PYTHON_DTYPES = {"bool": "bool", "int": "int32", "float": "float32", "complex": "complex64"}
"""The dtype JAX gives to a Python number of each type."""

ABSTRACT_DTYPES = {
    "generic": "bifuc",
    "number": "iufc",
    "integer": "iu",
    "signedinteger": "i",
    "unsignedinteger": "u",
    "inexact": "fc",
    "floating": "f",
    "complexfloating": "c",
}
"""NumPy's abstract scalar types, as the kinds that are below them."""


class Typed(NamedTuple):
    """A dtype and whether it is weak; None where not known."""

    dtype: str | None
    weak: bool | None


UNTYPED = Typed(None, None)


def kind(dtype: str | None) -> str | None:
    """NumPy's letter: b, i, u, f or c; None for keys, float0 and what is not known."""
    return _KINDS.get(dtype) if dtype is not None else None


def is_inexact(dtype: str | None) -> bool | None:
    """Whether a derivative can flow through it; None where the dtype is not known."""
    if dtype is None:
        return None
    return kind(dtype) in ("f", "c")


def dtype_name(name: str) -> str | None:
    """The NumPy dtype that `name` means, 64-bit names kept; None for a name that is not a dtype.

    Takes canonical names of symbols ("jax.numpy.float32", "builtins.float"), NumPy's spellings
    ("float", "f4", "double") and JAX's own names.
    """
    last = name.rsplit(".", 1)[-1] if not name.startswith(".") else name
    if last.startswith("key<"):
        return last
    if last in _KINDS or last == FLOAT0:
        return last
    if last[:1] in "<>=|":
        last = last[1:]
    return _ALIASES.get(last)


def dtype_argument(name: str) -> str | None:
    """The name under which the symbol `name` is passed on as a dtype argument, None for others.

    A dtype's own name, or that of an abstract type ("floating"), of which only `issubdtype` knows.
    """
    last = name.rpartition(".")[2]
    return last if last in ABSTRACT_DTYPES else dtype_name(name)


def canonical_dtype(name: str) -> str | None:
    """The dtype a JAX array gets when `name` is asked for: 64-bit types become 32-bit ones."""
    dtype = dtype_name(name)
    return narrowed(dtype)


def narrowed(dtype: str | None) -> str | None:
    """`dtype` as a JAX array holds it while 64-bit types are off."""
    return _NARROWED.get(dtype, dtype) if dtype is not None else None


def is_python_dtype(name: str) -> bool:
    """Whether `name` is one of the builtins, whose casts may give weak types."""
    return name.removeprefix("builtins.") in PYTHON_DTYPES


def dtype_of_const(value: object) -> Typed:
    """What JAX makes of a Python number: `3` is a weak int32; bool is never weak."""
    name = type(value).__name__
    if type(value) in (bool, int, float, complex):
        return Typed(PYTHON_DTYPES[name], name != "bool")
    return UNTYPED


_LATTICE: dict[str, tuple[str, ...]] = {
    "bool": ("i*",),
    "i*": ("uint8", "int8", *_SMALL_INTS, *_SMALL_UINTS),
    "uint8": ("int16", "uint16"),
    "uint16": ("int32", "uint32"),
    "uint32": ("int32", "uint64"),
    "uint64": ("f*",),
    "int8": ("int16",),
    "int16": ("int32",),
    "int32": ("int64",),
    "int64": ("f*",),
    "f*": ("bfloat16", "float16", "c*", *_OPAQUE_FLOATS),
    "bfloat16": ("float32",),
    "float16": ("float32",),
    "float32": ("float64", "complex64"),
    "float64": ("complex128",),
    "c*": ("complex64",),
    "complex64": ("complex128",),
    "complex128": (),
    **dict.fromkeys(_SMALL_INTS + _SMALL_UINTS + _OPAQUE_FLOATS, ()),
}
"""JAX's promotion lattice, as the steps upwards of each node; a star marks a weak type."""


@cache
def _bounds(node: str) -> frozenset[str]:
    found = {node}
    for above in _LATTICE[node]:
        found |= _bounds(above)
    return frozenset(found)


def _node(dtype: str, weak: bool) -> str:
    if weak:
        return {"i": "i*", "u": "i*", "f": "f*", "c": "c*"}.get(_KINDS[dtype], dtype)
    return dtype


@lru_cache(maxsize=4096)
def _join(a: str, b: str) -> str | None:
    common = _bounds(a) & _bounds(b)
    least = [node for node in common if common <= _bounds(node)]
    return least[0] if len(least) == 1 else None


@lru_cache(maxsize=4096)
def _promote_known(a: str, weak_a: bool, b: str, weak_b: bool) -> Typed:
    if a == b:
        return Typed(a, weak_a and weak_b)
    if a not in _KINDS or b not in _KINDS:
        return UNTYPED
    if weak_a and weak_b:
        joined = _join(a, b)
        if joined is None:
            return UNTYPED
        return Typed(_strong(joined), joined != "bool")
    joined = _join(_node(a, weak_a), _node(b, weak_b))
    if joined is None:
        return UNTYPED
    return Typed(_strong(joined), joined.endswith("*"))


def _strong(node: str) -> str | None:
    starred = {"i*": "int32", "f*": "float32", "c*": "complex64"}
    return starred.get(node) or narrowed(node)


def promote(a: Typed, b: Typed) -> Typed:
    """The type of an operation on `a` and `b`, as `jnp.add` gives it.

    Not known where JAX refuses to promote, and where it hangs on a weak type that is not known.
    """
    if a.dtype is None or b.dtype is None:
        return UNTYPED
    answers = {
        _promote_known(a.dtype, weak_a, b.dtype, weak_b)
        for weak_a in _choices(a.weak)
        for weak_b in _choices(b.weak)
    }
    return _agreed(answers)


def promote_all(types: Iterable[Typed]) -> Typed:
    """`promote` over any number of types, in JAX's way: all at once, so order does not matter.

    Weak types are joined with the strong ones last, since `weak int, weak float` must not take
    part in the join of strong types before it is known whether there are any.
    """
    known = list(types)
    if not known:
        return UNTYPED
    if any(t.dtype is None or t.weak is None for t in known):
        agreed = known[0]
        for t in known[1:]:
            agreed = promote(agreed, t)
        return Typed(agreed.dtype, None)
    strong = [t for t in known if not t.weak]
    joined: Typed | None = None
    for t in strong + [t for t in known if t.weak]:
        joined = t if joined is None else promote(joined, t)
    assert joined is not None
    return joined


def _choices(weak: bool | None) -> tuple[bool, ...]:
    return (True, False) if weak is None else (weak,)


def _agreed(answers: set[Typed]) -> Typed:
    dtypes = {answer.dtype for answer in answers}
    if len(dtypes) != 1:
        return UNTYPED
    weak = {answer.weak for answer in answers}
    return Typed(dtypes.pop(), weak.pop() if len(weak) == 1 else None)


def to_inexact(t: Typed) -> Typed:
    """The type in which a function such as `sin` computes: whole numbers and bools become float32."""
    if kind(t.dtype) in ("b", "i", "u"):
        return Typed("float32", t.weak)
    return t


def real_part(dtype: str | None) -> str | None:
    """The dtype of the real part."""
    return {"complex64": "float32", "complex128": "float64"}.get(dtype, dtype) if dtype else None


def complex_of(dtype: str | None) -> str | None:
    """The complex dtype whose parts hold `dtype`, as a JAX array has it."""
    if kind(dtype) is None:
        return None
    return "complex128" if dtype in ("float64", "complex128") else "complex64"


def unclaimed(t: Typed) -> Typed:
    """`t` with a weak type only where it certainly is none: some functions keep it, some do not."""
    return Typed(t.dtype, False if t.weak is False else None)


def strong(t: Typed) -> Typed:
    """`t` without its weak type."""
    return Typed(t.dtype, False if t.dtype is not None else None)


_SIGNED_FOR = {"uint8": "int16", "uint16": "int32", "uint32": "int64", "uint64": "float64"}
_FLOAT_FOR = {8: "float16", 16: "float32", 32: "float64", 64: "float64"}


def _numpy_join(a: str, b: str) -> str | None:
    """NumPy's promotion of two array dtypes; None for types that are not NumPy's own."""
    if a == b:
        return a
    if a == "bfloat16" or b == "bfloat16":
        return None
    if a not in _KINDS or b not in _KINDS:
        return None
    if "bool" in (a, b):
        return b if a == "bool" else a
    if a not in _BITS or b not in _BITS:
        return None
    kinds = {_KINDS[a], _KINDS[b]}
    if len(kinds) == 1:
        return a if _BITS[a] >= _BITS[b] else b
    if kinds == {"i", "u"}:
        signed, unsigned = (a, b) if _KINDS[a] == "i" else (b, a)
        if _BITS[signed] > _BITS[unsigned]:
            return signed
        return _SIGNED_FOR[unsigned]
    if "c" in kinds:
        parts = [
            real_part(x) if _KINDS[x] == "c" else x if _KINDS[x] == "f" else _FLOAT_FOR[_BITS[x]]
            for x in (a, b)
        ]
        return "complex128" if "float64" in parts else "complex64"
    floating, whole = (a, b) if _KINDS[a] == "f" else (b, a)
    needed = _FLOAT_FOR[_BITS[whole]]
    return floating if _BITS[floating] >= _BITS[needed] else needed


def numpy_promote(arrays: Iterable[str | None], python: Iterable[str | None]) -> str | None:
    """NumPy 2's result type of array (and NumPy scalar) dtypes with Python numbers.

    `python` holds the names of `PYTHON_DTYPES`' values; a Python number lends only its kind.
    """
    joined: str | None = None
    for dtype in arrays:
        if dtype is None:
            return None
        joined = dtype if joined is None else _numpy_join(joined, dtype)
        if joined is None:
            return None
    for dtype in python:
        if dtype is None:
            return None
        joined = _numpy_with_python(joined, dtype)
        if joined is None:
            return None
    return joined


_NUMPY_DEFAULT = {"b": "bool", "i": "int64", "u": "int64", "f": "float64", "c": "complex128"}


def numpy_dtype_of_python(dtype: str | None) -> str | None:
    """The NumPy dtype of a Python number of JAX's dtype: int64, float64, complex128 or bool."""
    found = kind(dtype)
    return _NUMPY_DEFAULT[found] if found is not None else None


def _numpy_with_python(array: str | None, python: str) -> str | None:
    order = "biufc"
    of_python = _KINDS[python]
    if array is None:
        return _NUMPY_DEFAULT[of_python]
    of_array = kind(array)
    if of_array is None or array == "bfloat16":
        return None
    if order.index(of_python) <= order.index(of_array) or (of_python, of_array) == ("i", "u"):
        return array
    if array not in _BITS and array != "bool":
        return None
    if of_python == "c" and of_array == "f":
        return "complex128" if array == "float64" else "complex64"
    return _NUMPY_DEFAULT[of_python]


def numpy_to_inexact(dtype: str | None) -> str | None:
    """The dtype in which NumPy's `sin` and its like compute."""
    found = kind(dtype)
    if found == "b":
        return "float16"
    if found in ("i", "u"):
        return _FLOAT_FOR.get(_BITS.get(dtype or "", 0))
    return None if dtype == "bfloat16" else dtype

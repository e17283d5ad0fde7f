"""Sample calls: a pool that is tried on every function, and those that need arguments of their own."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import array_samples_more
from array_oracle import A, Sample, a, call, n

F32, I32, B = "float32", "int32", "bool"
V, M, S = a(F32, 3), a(F32, 2, 3), a(F32)
SQ = a(F32, 3, 3)
IV, BV = a(I32, 3), a(B, 3)

UNARY: list[Any] = [
    V, M, S, IV, BV, a("bfloat16", 3), a("float16", 2, 3), a("complex64", 3), a("int8", 3),
    a("uint8", 3), a("uint32", 3), a(F32, weak=True), a(I32, weak=True), 2, 1.5, True, 1j,
    a(F32, origin="python"), a(I32, origin="python"), a("float64", 3, origin="numpy"),
    a("int64", 3, origin="numpy"), a("float32", origin="numpy"), a(I32, 0), a(F32, 2, 1, 3),
]  # fmt: skip

BINARY: list[tuple[Any, Any]] = [
    (V, V), (V, S), (M, V), (IV, IV), (V, IV), (IV, V), (BV, BV), (BV, IV), (V, 2.0), (2.0, V),
    (V, 2), (IV, 2), (IV, 2.0), (2, IV), (BV, 2), (V, True), (1.5, 2), (2, 3),
    (a("bfloat16", 3), V), (a("bfloat16", 3), a("float16", 3)), (a("bfloat16", 3), 2.0),
    (a("complex64", 3), V), (V, 1j), (a("int8", 3), a("uint8", 3)), (a("uint32", 3), IV),
    (a("int8", 3), 2), (a("int8", 3), 2.0), (a(F32, weak=True), a("bfloat16", 3)),
    (a(F32, weak=True), IV), (a(I32, weak=True), V), (a(F32, weak=True), 2), (a(I32, weak=True), 2.0),
    (V, a("float64", 3, origin="numpy")), (a("bfloat16", 3), a("float64", origin="numpy")),
    (a("int64", 3, origin="numpy"), a(F32, origin="python")), (a(F32, 2, 1), a(F32, 1, 4)), (SQ, SQ),
    (M, a(F32, 3, 2)), (a(F32, 4, 2, 3), a(F32, 3, 5)), (a("bfloat16", 3), IV), (V, 0),
    (V, a(I32, origin="python")), (SQ, V), (a("bfloat16", 2, 2), a(I32, 2, 2)),
]  # fmt: skip

TERNARY: list[tuple[Any, ...]] = [
    (BV, V, V), (BV, V, 0.0), (BV, 1.0, 0.0), (a(B, 2, 3), V, S), (BV, IV, 0), (V, V, V),
    (0.0, V, 1.0), (V, 0.0, 1.0), (S, M, S), (IV, 0, 1), (BV, a("bfloat16", 3), 1.0), (BV, V, IV),
]  # fmt: skip


def pool(name: str) -> Iterator[Sample]:
    """The general samples for a function; most functions refuse many of them."""
    if name.startswith("jax.random.") or name.rsplit(".", 1)[-1] in (
        "broadcast_shapes",
        "promote_types",
        "ShapeDtypeStruct",
    ):
        return
    for args in (*((x,) for x in UNARY), *BINARY, *TERNARY):
        if name.startswith("numpy."):
            yield call(name, *(_of_numpy(x) for x in args))
        else:
            yield call(name, *args)


def _of_numpy(x: Any) -> Any:
    """The same for NumPy, which converts JAX arrays only where they are not traced."""
    if isinstance(x, A) and x.origin == "jax":
        return n(x.dtype, *x.shape)
    return x


def _reductions() -> Iterator[Sample]:
    for name in ("sum", "prod", "mean", "var", "std", "max", "min", "any", "all", "nansum",
                 "nanmean", "amax", "nanmax", "median", "ptp", "count_nonzero"):  # fmt: skip
        for array in (M, a(I32, 2, 3), a(F32, 2, 3, 4), a("bfloat16", 2, 3)):
            for axis in (None, 0, -1, (0, 1), ()):
                yield call(f"jax.numpy.{name}", array, axis=axis)
                yield call(f"jax.numpy.{name}", array, axis, keepdims=True)
    for name in ("sum", "prod", "mean", "cumsum"):
        for dtype in ("float32", "int32", "float64", "bfloat16", float, int):
            yield call(f"jax.numpy.{name}", IV, dtype=dtype)
            yield call(f"jax.numpy.{name}", a("complex64", 3), dtype="complex64")
    for name in ("argmax", "argmin", "nanargmax"):
        for axis in (None, 0, -1):
            yield call(f"jax.numpy.{name}", M, axis=axis)
            yield call(f"jax.numpy.{name}", M, axis=axis, keepdims=True)
    yield call("jax.numpy.average", M, axis=0)
    yield call("jax.numpy.average", M, axis=1, weights=V)
    yield call("jax.numpy.average", V, weights=IV)
    for q in (0.5, a(F32, 2)):
        yield call("jax.numpy.quantile", M, q, axis=1)
        yield call("jax.numpy.percentile", IV, q)
        yield call("jax.numpy.quantile", a("bfloat16", 3), q)
    for name in ("jax.nn.logsumexp", "jax.scipy.special.logsumexp"):
        yield call(name, M, axis=-1)
        yield call(name, M, axis=-1, keepdims=True)
        yield call(name, IV)
    for name in ("sort", "argsort", "cumsum", "cumprod"):
        yield call(f"jax.numpy.{name}", M, axis=0)
        yield call(f"jax.numpy.{name}", M, axis=None)
    for name in ("argmax", "argmin"):
        yield call(f"jax.lax.{name}", M, 1, "int32")
    for name in ("reduce_sum", "reduce_max", "reduce_min", "reduce_prod"):
        yield call(f"jax.lax.{name}", M, (0,))
        yield call(f"jax.lax.{name}", M, axes=(0, 1))
    for order in (1, 2):
        yield call("jax.numpy.diff", M, n=order, axis=0)
    yield call("jax.numpy.trapezoid", M, axis=0)
    yield call("jax.numpy.trapezoid", M, V)
    for name in ("cumsum", "cumprod", "cummax", "cummin", "cumlogsumexp"):
        yield call(f"jax.lax.{name}", M, axis=1)


def _creation() -> Iterator[Sample]:
    for name in ("zeros", "ones", "empty"):
        for shape in (3, (2, 3), [2, 3], ()):
            for kw in (
                {},
                {"dtype": "int32"},
                {"dtype": float},
                {"dtype": "float64"},
                {"dtype": bool},
                {"dtype": "bfloat16"},
            ):
                yield call(f"jax.numpy.{name}", shape, **kw)
    for fill in (1, 2.5, S, True, V, a("int64", origin="numpy"), a("bfloat16")):
        yield call("jax.numpy.full", (2, 3), fill)
        yield call("jax.numpy.full", (2, 3), fill, "float32")
        yield call("jax.numpy.full_like", M, fill)
        yield call("jax.numpy.full_like", a(I32, 2, 3), fill, dtype="float32")
        yield call("jax.numpy.full_like", M, fill, shape=(4, 3))
        yield call("jax.lax.full", (2,), fill)
        yield call("jax.lax.full_like", V, fill)
    for name in ("zeros_like", "ones_like", "empty_like"):
        for x in (M, IV, 2.0, 2, a(F32, weak=True), a("float64", 3, origin="numpy")):
            yield call(f"jax.numpy.{name}", x)
            yield call(f"jax.numpy.{name}", x, dtype="int32")
            yield call(f"jax.numpy.{name}", x, shape=(5,))
    for args in ((3,), (3, 4), (3, 4, 1)):
        yield call("jax.numpy.eye", *args)
        yield call("jax.numpy.eye", *args, dtype="int32")
        yield call("jax.numpy.tri", *args)
    yield call("jax.numpy.identity", 3)
    for args in (
        (5,),
        (1, 5),
        (0, 10, 3),
        (5.0,),
        (0, 1, 0.25),
        (10, 0, -3),
        (0.1, 1.0, 0.1),
        (1, 2.5),
    ):
        yield call("jax.numpy.arange", *args)
        yield call("jax.numpy.arange", *args, dtype="float32")
    for name in ("linspace", "logspace", "geomspace"):
        yield call(f"jax.numpy.{name}", 1, 2)
        yield call(f"jax.numpy.{name}", 1.0, 2.0, 7)
        yield call(f"jax.numpy.{name}", 1.0, S, num=5)
        yield call(f"jax.numpy.{name}", 1, 2, 5, dtype="bfloat16")
    for name in ("array", "asarray"):
        for x in (
            1,
            1.0,
            True,
            1j,
            [1, 2],
            [1.0, 2],
            [[1, 2], [3, 4]],
            [True, 2],
            [],
            [[]],
            [S, S],
            [S, 1],
            [V, V],
            [a(I32), 1.5],
            [a("bfloat16"), 1.5],
            V,
            a(F32, weak=True),
            a("float64", 3, origin="numpy"),
            [a("float64", origin="numpy"), 1],
            (1, 2.0),
            a(F32, origin="python"),
            [BV, BV],
            [[S, S], [S, 1.0]],
        ):
            yield call(f"jax.numpy.{name}", x)
            yield call(f"jax.numpy.{name}", x, dtype="float32")
            yield call(f"jax.numpy.{name}", x, dtype=int)
    yield call("jax.numpy.array", V, ndmin=3)
    yield call("jax.lax.iota", "int32", 4)
    yield call("jax.lax.broadcasted_iota", "int32", (2, 3), 1)
    yield call("jax.numpy.indices", (2, 3))
    yield call("jax.numpy.vander", V, 4)
    for k in (-1, 0, 1):
        yield call("jax.numpy.tril_indices", 3, k)
        yield call("jax.numpy.triu_indices", 3, k, 4)
    yield call("jax.ShapeDtypeStruct", (2, 3), "float32")


def _manipulation() -> Iterator[Sample]:
    T = a(F32, 2, 3, 4)
    for target in ((6, 4), (-1,), -1, (2, -1), (24,), (4, 3, 2), 24):
        yield call("jax.numpy.reshape", T, target)
    yield call("jax.lax.reshape", T, (6, 4))
    yield call("jax.numpy.ravel", T)
    for axes in (None, (2, 0, 1), (-1, 0, 1)):
        yield call("jax.numpy.transpose", T, axes)
        if axes:
            yield call("jax.numpy.permute_dims", T, axes)
    yield call("jax.lax.transpose", T, (2, 0, 1))
    yield call("jax.numpy.matrix_transpose", T)
    yield call("jax.numpy.swapaxes", T, 0, -1)
    yield call("jax.numpy.moveaxis", T, 0, -1)
    yield call("jax.numpy.moveaxis", T, (0, 1), (2, 0))
    yield call("jax.numpy.rollaxis", T, 2)
    yield call("jax.numpy.rollaxis", T, 0, 2)
    for axis in (0, -1, (0, 2)):
        yield call("jax.numpy.expand_dims", T, axis)
    yield call("jax.lax.expand_dims", T, (0,))
    yield call("jax.numpy.squeeze", a(F32, 1, 3, 1))
    yield call("jax.numpy.squeeze", a(F32, 1, 3, 1), 0)
    yield call("jax.numpy.squeeze", a(F32, 1, 3, 1), axis=(0, -1))
    yield call("jax.lax.squeeze", a(F32, 1, 3, 1), (0,))
    for x, shape in ((V, (2, 3)), (S, (2,)), (1.0, (2, 3)), (a(F32, 3, 1), (3, 4)), (2, 3)):
        yield call("jax.numpy.broadcast_to", x, shape)
    yield call("jax.lax.broadcast", V, (2, 4))
    yield call("jax.lax.broadcast_in_dim", V, (2, 3), (1,))
    for name in ("flip", "fliplr", "flipud", "tril", "triu"):
        yield call(f"jax.numpy.{name}", M)
    yield call("jax.numpy.roll", M, 1)
    yield call("jax.numpy.roll", M, 1, axis=0)
    yield call("jax.lax.rev", M, (0,))
    for k in (0, 1, 2, 3):
        yield call("jax.numpy.rot90", M, k)
    for pair in ([V, V], (V, a(F32, 4)), [V, IV], [IV, IV], [a("bfloat16", 3), V], [BV, V]):
        for name in ("concatenate", "hstack", "stack", "vstack", "dstack", "column_stack"):
            yield call(f"jax.numpy.{name}", pair)
        yield call("jax.lax.concatenate", pair, 0)
    for axis in (0, 1, -1, None):
        yield call("jax.numpy.concatenate", [M, M], axis)
        yield call("jax.numpy.concat", [M, M], axis=axis)
    for axis in (0, 1, -1):
        yield call("jax.numpy.stack", [M, M, M], axis=axis)
    yield call("jax.numpy.stack", [S, 1.0, 2])
    yield call("jax.numpy.stack", [1.0, 2])
    for name in ("concatenate", "stack", "vstack", "hstack", "dstack", "column_stack"):
        yield call(f"jax.numpy.{name}", [M, M])
        yield call(f"jax.numpy.{name}", T)
        yield call(f"jax.numpy.{name}", [T, T])
    yield call("jax.numpy.append", V, 1.0)
    yield call("jax.numpy.append", M, M, axis=0)
    for args in ((M, 2), (V, 3), (V, [1]), (V, (1, 2)), (a(F32, 6, 3), 3)):
        yield call("jax.numpy.split", *args)
        yield call("jax.numpy.array_split", *args)
        yield call("jax.numpy.vsplit", *args)
    yield call("jax.numpy.array_split", a(F32, 7), 3)
    yield call("jax.numpy.split", M, 3, axis=1)
    yield call("jax.numpy.split", M, [1, 2], -1)
    yield call("jax.numpy.hsplit", M, 3)
    yield call("jax.numpy.hsplit", V, 3)
    yield call("jax.numpy.dsplit", T, 2)
    yield call("jax.numpy.unstack", M, axis=1)
    for reps in (2, (2,), (2, 1), (2, 1, 3)):
        yield call("jax.numpy.tile", M, reps)
        yield call("jax.numpy.tile", V, reps)
    yield call("jax.numpy.repeat", M, 2)
    yield call("jax.numpy.repeat", M, 2, axis=1)
    yield call("jax.numpy.repeat", M, [1, 2], axis=0)
    yield call("jax.numpy.repeat", V, IV, total_repeat_length=7)
    for width in (1, (1, 2), ((1, 2),), ((1, 2), (0, 1))):
        yield call("jax.numpy.pad", M, width)
    yield call("jax.numpy.pad", M, ((0, 1), (2, 0)), mode="edge")
    for ndim in (1, 2, 3):
        for x in (S, V, M, T, 1.0):
            yield call(f"jax.numpy.atleast_{ndim}d", x)
    yield call("jax.numpy.broadcast_arrays", V, M, S)
    yield call("jax.numpy.broadcast_shapes", (2, 1), (3,))
    yield call("numpy.broadcast_shapes", (2, 1), (3,))
    yield call("jax.numpy.meshgrid", V, a(F32, 4))
    yield call("jax.numpy.meshgrid", V, a(F32, 4), indexing="ij")
    for k in (-1, 0, 2):
        for x in (V, M, SQ):
            yield call("jax.numpy.diag", x, k)
        yield call("jax.numpy.diagflat", M, k)
        yield call("jax.numpy.diagonal", M, k)
    yield call("jax.numpy.diagonal", T, 0, 1, 2)
    for module in ("jax.numpy", "numpy"):
        x = M if module == "jax.numpy" else a(F32, 2, 3, origin="numpy")
        yield call(f"{module}.shape", x)
        yield call(f"{module}.ndim", x)
        yield call(f"{module}.size", x)
        yield call(f"{module}.size", x, 1)
    yield call("jax.numpy.take", M, IV)
    yield call("jax.numpy.take", M, a(I32, 4, 5), axis=1)
    yield call("jax.numpy.take", M, 0, axis=1)
    yield call("jax.numpy.take_along_axis", M, a(I32, 2, 1), axis=1)
    yield call("jax.numpy.take_along_axis", M, a(I32, 1, 5), -1)
    yield call("jax.numpy.take_along_axis", V, a(I32, 5), 0)
    yield call("jax.numpy.take_along_axis", M, a(I32, 5), None)
    yield call("jax.numpy.result_type", V, 2.0)
    yield call("jax.numpy.result_type", "bfloat16", "float32")
    yield call("jax.numpy.promote_types", "int8", "uint8")
    yield call("jax.numpy.interp", V, V, V)
    for dtype in ("int32", "bfloat16", float, int, bool):
        yield call("jax.numpy.astype", V, dtype)
        yield call("jax.lax.convert_element_type", V, dtype)
    yield call("jax.lax.reduce_precision", V, 5, 5)
    for exponent in (0, 2, -1):
        yield call("jax.lax.integer_pow", V, exponent)
    yield call("jax.lax.complex", V, V)


def _contraction() -> Iterator[Sample]:
    T = a(F32, 4, 2, 3)
    for pair in ((V, V), (M, V), (V, a(F32, 3, 2)), (M, a(F32, 3, 5)), (T, a(F32, 4, 3, 5)), (T, a(F32, 3, 5)),
                 (a(I32, 2, 3), a(F32, 3, 5)), (a("bfloat16", 2, 3), a("bfloat16", 3)), (M, IV), (T, V)):  # fmt: skip
        for name in (
            "matmul",
            "dot",
            "inner",
            "outer",
            "vdot",
            "kron",
            "linalg.matmul",
            "linalg.outer",
        ):
            yield call(f"jax.numpy.{name}", *pair)
        yield call("jax.lax.dot", *pair)
    yield call("jax.numpy.matmul", M, a(F32, 3, 5), preferred_element_type="float32")
    yield call("jax.numpy.inner", M, a(F32, 5, 3))
    yield call("jax.numpy.cross", V, V)
    yield call("jax.numpy.cross", a(F32, 4, 3), V)
    for name in ("vecdot", "linalg.vecdot"):
        yield call(f"jax.numpy.{name}", M, V)
    for axes in (1, 0, ((1,), (0,)), (1, 0), ([0, 1], [1, 0])):
        yield call("jax.numpy.tensordot", M, a(F32, 3, 2), axes)
        yield call("jax.numpy.linalg.tensordot", M, a(F32, 3, 2), axes=axes)
    yield call("jax.numpy.tensordot", M, M)
    for subscripts, *operands in (
        ("ij,jk->ik", M, a(F32, 3, 4)), ("ij,jk", M, a(F32, 3, 4)), ("ii", SQ), ("ii->i", SQ),
        ("bij,bjk->bik", T, a(F32, 4, 3, 5)), ("...ij,...jk->...ik", T, a(F32, 3, 5)), ("i,j->ij", V, IV),
        ("ij->", M), ("ij->ji", M), ("ba,c", a(F32, 2, 3), a(F32, 4)), ("i...->...", T), ("...i", T), ("ij,ij->i", M, M),
        ("i, i ->", V, V), ("ij,j,i->", M, V, a(F32, 2)),
    ):  # fmt: skip
        yield call("jax.numpy.einsum", subscripts, *operands)


def explicit() -> Iterator[Sample]:
    """The samples that functions need beyond the pool."""
    yield from _reductions()
    yield from _creation()
    yield from _manipulation()
    yield from _contraction()
    yield from array_samples_more.explicit()

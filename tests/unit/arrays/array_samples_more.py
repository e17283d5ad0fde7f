"""Sample calls for `jax.lax`, `jax.nn`, `jax.random`, linear algebra and NumPy."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
from array_oracle import Sample, a, call, n

F32, I32, B = "float32", "int32", "bool"
V, M, S = a(F32, 3), a(F32, 2, 3), a(F32)
T, SQ = a(F32, 2, 3, 4), a(F32, 3, 3)
IV, BV = a(I32, 3), a(B, 3)
KEY, RAW = a("key<fry>"), a("uint32", 2)


def structured() -> Iterator[Sample]:
    """`jax.lax`."""
    yield call("jax.lax.slice", T, (0, 1, 0), (2, 3, 4))
    yield call("jax.lax.slice", T, (0, 1, 0), (2, 3, 4), (1, 1, 2))
    for args in ((0, 2), (1, None), (0, 3, 2), (-2, None)):
        yield call("jax.lax.slice_in_dim", V, *args)
    yield call("jax.lax.slice_in_dim", T, 0, 2, axis=-1)
    yield call("jax.lax.dynamic_slice", T, (0, a(I32), 1), (1, 2, 2))
    yield call("jax.lax.dynamic_slice", V, [S], (2,))
    yield call("jax.lax.dynamic_slice", V, (a(I32),), (2,))
    yield call("jax.lax.dynamic_slice_in_dim", T, a(I32), 2, axis=1)
    yield call("jax.lax.index_in_dim", T, 1, 1)
    yield call("jax.lax.index_in_dim", T, 1, -1, False)
    yield call("jax.lax.dynamic_index_in_dim", T, a(I32), 1, keepdims=False)
    yield call("jax.lax.dynamic_index_in_dim", T, a(I32))
    yield call("jax.lax.dynamic_update_slice", V, a(F32, 2), (a(I32),))
    yield call("jax.lax.dynamic_update_slice", a(F32, 3, weak=True), a(F32, 2), (a(I32),))
    yield call("jax.lax.dynamic_update_slice_in_dim", T, a(F32, 2, 1, 4), a(I32), 1)
    yield call("jax.lax.dynamic_update_index_in_dim", T, a(F32, 2, 4), a(I32), 1)
    yield call("jax.lax.pad", M, 0.0, ((1, 2, 0), (0, 1, 2)))
    yield call("jax.lax.pad", M, 0.0, ((-1, 0, 0), (0, 0, 1)))
    yield call("jax.lax.top_k", M, 2)
    yield call("jax.lax.select_n", BV, V, V)
    yield call("jax.lax.select_n", a(B), V, V)
    yield call("jax.lax.select", BV, V, V)
    yield call("jax.lax.select", BV, IV, IV)
    for numbers in ((((1,), (0,)), ((), ())), (((1,), (1,)), ((0,), (0,)))):
        yield call("jax.lax.dot_general", M, M if numbers[1][0] else a(F32, 3, 5), numbers)
    yield call(
        "jax.lax.dot_general", T, a(F32, 2, 4, 5), (((2,), (1,)), ((0,), (0,))),
        preferred_element_type="float32",
    )  # fmt: skip
    yield call("jax.lax.batch_matmul", T, a(F32, 2, 4, 5))
    image, kernel = a(F32, 1, 2, 8, 8), a(F32, 3, 2, 3, 3)
    yield call("jax.lax.conv", image, kernel, (1, 1), "SAME")
    yield call("jax.lax.conv_general_dilated", image, kernel, (1, 1), "VALID")
    yield call("jax.lax.conv_with_general_padding", image, kernel, (1, 1), "VALID", (1, 1), (1, 1))
    yield call("jax.lax.conv_transpose", a(F32, 1, 8, 8, 2), a(F32, 3, 3, 2, 4), (1, 1), "SAME")
    yield call("jax.lax.sort", M)
    yield call("jax.lax.bitcast_convert_type", V, "int32")
    yield call("jax.lax.bitcast_convert_type", V, "int8")
    yield call("jax.lax.broadcast_shapes", (2, 1), (3,))
    yield call("jax.lax.clamp", 0.0, V, 1.0)
    yield call("jax.lax.nextafter", V, V)
    yield call("jax.lax.clamp", 0, IV, 2)


def neural() -> Iterator[Sample]:
    """`jax.nn`."""
    for axis in (0, -1, (0, 1)):
        for name in ("softmax", "log_softmax", "standardize"):
            yield call(f"jax.nn.{name}", M, axis=axis)
    for x in (IV, 2, a(I32, 2, 3)):
        yield call("jax.nn.one_hot", x, 4)
        yield call("jax.nn.one_hot", x, 4, dtype="bfloat16")
        yield call("jax.nn.one_hot", x, 4, axis=0)
        yield call("jax.nn.one_hot", x, 4, dtype="int32")
    yield call("jax.nn.one_hot", IV, num_classes=4)
    yield call("jax.nn.glu", a(F32, 2, 4))
    yield call("jax.nn.glu", a(F32, 2, 4), axis=0)
    yield call("jax.nn.elu", V, 0.5)
    yield call("jax.nn.leaky_relu", V, 0.5)
    yield call("jax.nn.gelu", V, approximate=False)
    yield call(
        "jax.nn.dot_product_attention", a(F32, 2, 5, 1, 4), a(F32, 2, 6, 1, 4), a(F32, 2, 6, 1, 4)
    )


def random() -> Iterator[Sample]:
    """`jax.random`."""
    for seed in (0, a(I32), a("uint32"), a(I32, origin="python")):
        yield call("jax.random.key", seed)
        yield call("jax.random.PRNGKey", seed)
    for key in (KEY, RAW):
        yield call("jax.random.split", key)
        for num in (3, (2, 3)):
            yield call("jax.random.split", key, num)
        yield call("jax.random.fold_in", key, 3)
        yield call("jax.random.fold_in", key, a(I32))
        yield call("jax.random.key_data", key)
        for name in ("normal", "uniform", "cauchy", "exponential", "gumbel", "laplace", "logistic",
                     "maxwell"):  # fmt: skip
            yield call(f"jax.random.{name}", key)
            yield call(f"jax.random.{name}", key, (2, 3))
            yield call(f"jax.random.{name}", key, shape=(3,), dtype="bfloat16")
            yield call(f"jax.random.{name}", key, (3,), float)
    yield call("jax.random.clone", KEY)
    yield call("jax.random.uniform", KEY, (3,), minval=-1.0, maxval=1.0)
    yield call("jax.random.uniform", KEY, (3,), minval=S, maxval=1.0)
    yield call("jax.random.uniform", KEY, (3,), "float16", -1, 1)
    yield call("jax.random.truncated_normal", KEY, -2.0, 2.0, (3,))
    yield call("jax.random.truncated_normal", KEY, -2.0, V)
    for name in ("gamma", "loggamma", "t", "chisquare", "pareto"):
        yield call(f"jax.random.{name}", KEY, V)
        yield call(f"jax.random.{name}", KEY, 2.0)
        yield call(f"jax.random.{name}", KEY, 2.0, (4,))
        yield call(f"jax.random.{name}", KEY, V, shape=(2, 3), dtype="float32")
    for name in ("beta", "f"):
        yield call(f"jax.random.{name}", KEY, V, 2.0)
        yield call(f"jax.random.{name}", KEY, V, 2.0, (2, 3))
    yield call("jax.random.wald", KEY, V)
    yield call("jax.random.rayleigh", KEY, V)
    yield call("jax.random.weibull_min", KEY, 1.0, 2.0, (3,))
    yield call("jax.random.lognormal", KEY, 1.0, (3,))
    yield call("jax.random.double_sided_maxwell", KEY, 0.0, 1.0, (3,))
    yield call("jax.random.randint", KEY, (3,), 0, 10)
    yield call("jax.random.randint", KEY, (3,), 0, 10, "uint8")
    yield call("jax.random.bits", KEY, (3,))
    yield call("jax.random.bits", KEY, (3,), "uint8")
    yield call("jax.random.bernoulli", KEY)
    yield call("jax.random.bernoulli", KEY, 0.3, (3,))
    yield call("jax.random.bernoulli", KEY, V)
    yield call("jax.random.rademacher", KEY, (3,))
    yield call("jax.random.rademacher", KEY, (3,), "float32")
    yield call("jax.random.poisson", KEY, V)
    yield call("jax.random.poisson", KEY, 2.0, (4,))
    yield call("jax.random.binomial", KEY, 4.0, V)
    yield call("jax.random.geometric", KEY, a(F32, 3))
    yield call("jax.random.geometric", KEY, 0.5, (4,))
    yield call("jax.random.categorical", KEY, M)
    yield call("jax.random.categorical", KEY, M, axis=0)
    yield call("jax.random.categorical", KEY, M, shape=(5, 2))
    yield call("jax.random.dirichlet", KEY, V)
    yield call("jax.random.dirichlet", KEY, V, (4,))
    yield call("jax.random.multivariate_normal", KEY, V, SQ)
    yield call("jax.random.multivariate_normal", KEY, V, SQ, (4,))
    yield call("jax.random.orthogonal", KEY, 3)
    yield call("jax.random.orthogonal", KEY, 3, (2,))
    yield call("jax.random.ball", KEY, 3)
    yield call("jax.random.ball", KEY, 3, shape=(2,))
    for x in (5, V, M, IV):
        yield call("jax.random.choice", KEY, x)
        yield call("jax.random.choice", KEY, x, (2,))
        yield call("jax.random.choice", KEY, x, shape=(2, 1), replace=False)
        yield call("jax.random.permutation", KEY, x)
    yield call("jax.random.choice", KEY, M, (2,), axis=1)
    yield call("jax.random.choice", KEY, V, (2,), p=V)


def linear_algebra() -> Iterator[Sample]:
    """`jax.numpy.linalg`, `jax.scipy.linalg`, `jax.numpy.fft`."""
    batch = a(F32, 4, 3, 3)
    for x in (V, M, T, IV, a("bfloat16", 3), a("complex64", 3)):
        yield call("jax.numpy.linalg.norm", x)
        yield call("jax.numpy.linalg.norm", x, axis=0)
        yield call("jax.numpy.linalg.norm", x, axis=-1, keepdims=True)
        yield call("jax.numpy.linalg.norm", x, 1, axis=0)
        yield call("jax.numpy.linalg.norm", x, 2)
        yield call("jax.numpy.linalg.vector_norm", x, axis=0)
        yield call("jax.numpy.linalg.vector_norm", x)
    yield call("jax.numpy.linalg.norm", T, axis=(0, 1))
    yield call("jax.numpy.linalg.matrix_norm", M)
    for module in ("jax.numpy.linalg", "jax.scipy.linalg"):
        for x in (SQ, batch, a(I32, 3, 3)):
            for name in ("det", "inv", "cholesky"):
                yield call(f"{module}.{name}", x)
        for b in (V, a(F32, 3, 2), IV):
            yield call(f"{module}.solve", SQ, b)
    yield call("jax.scipy.linalg.solve_triangular", SQ, V, lower=True)
    yield call("jax.scipy.linalg.solve_triangular", SQ, a(F32, 3, 2))
    yield call("jax.scipy.linalg.expm", SQ)
    yield call("jax.lax.linalg.cholesky", SQ)
    yield call("jax.numpy.linalg.pinv", M)
    yield call("jax.numpy.linalg.matrix_power", SQ, 2)
    yield call("jax.numpy.linalg.eigvalsh", batch)
    yield call("jax.numpy.linalg.eigh", batch)
    yield call("jax.numpy.linalg.slogdet", SQ)
    yield call("jax.numpy.linalg.matrix_rank", SQ)
    yield call("jax.numpy.linalg.norm", V, 0)
    yield call("jax.numpy.linalg.qr", M)
    yield call("jax.numpy.linalg.qr", a(F32, 3, 2))
    for full in (True, False):
        yield call("jax.numpy.linalg.svd", M, full_matrices=full)
    yield call("jax.numpy.linalg.svd", M, compute_uv=False)
    for x in (SQ, M, T, a(I32, 3, 3)):
        yield call("jax.numpy.trace", x)
        yield call("jax.numpy.linalg.trace", x)
    for name in ("fft", "ifft", "rfft", "irfft"):
        for x in (V, M, IV, a("complex64", 2, 4), a("bfloat16", 4)):
            yield call(f"jax.numpy.fft.{name}", x)
            yield call(f"jax.numpy.fft.{name}", x, 8)
            yield call(f"jax.numpy.fft.{name}", x, axis=0)
            yield call(f"jax.numpy.fft.{name}n", x)
            if len(x.shape) == 2:
                yield call(f"jax.numpy.fft.{name}2", x)
                yield call(f"jax.numpy.fft.{name}n", x, axes=(0,))
                yield call(f"jax.numpy.fft.{name}2", x, (4, 6))
    for name in ("fftshift", "ifftshift"):
        yield call(f"jax.numpy.fft.{name}", M)
    for name in ("fftfreq", "rfftfreq"):
        yield call(f"jax.numpy.fft.{name}", 8)
        yield call(f"jax.numpy.fft.{name}", 7, 0.5)


def numpy() -> Iterator[Sample]:
    """NumPy's own functions."""
    for name in ("zeros", "ones", "empty"):
        for kw in ({}, {"dtype": "int32"}, {"dtype": float}, {"dtype": "float32"}, {"dtype": int}):
            yield call(f"numpy.{name}", (2, 3), **kw)
            yield call(f"numpy.{name}", 3, **kw)
            yield call(f"numpy.{name}_like", n("float32", 3), **kw)
            yield call(f"numpy.{name}_like", V, **kw)
    for fill in (1, 2.5, True, n("int8")):
        yield call("numpy.full", (2, 3), fill)
        yield call("numpy.full", (2, 3), fill, "float32")
        yield call("numpy.full_like", n("float32", 3), fill)
    for args in ((3,), (3, 4)):
        yield call("numpy.eye", *args)
        yield call("numpy.tri", *args)
        yield call("numpy.eye", *args, dtype="float32")
    yield call("numpy.identity", 3)
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
            [n("float32"), 1],
            V,
            IV,
            [n("float32"), 1.0],
            n("int8", 3),
            (1, 2.0),
            a("bfloat16", 3),
            [n("int8", 2), n("int16", 2)],
            [V, V],
            [S, 1.0],
        ):
            yield call(f"numpy.{name}", x)
            yield call(f"numpy.{name}", x, dtype="float32")
            yield call(f"numpy.{name}", x, float)
    for args in ((5,), (1, 5), (0, 10, 3), (5.0,), (0, 1, 0.25), (0.1, 1.0, 0.1)):
        yield call("numpy.arange", *args)
        yield call("numpy.arange", *args, dtype="float32")
    for name in ("linspace", "logspace", "geomspace"):
        yield call(f"numpy.{name}", 1, 2)
        yield call(f"numpy.{name}", 1.0, 2.0, 7)
        yield call(f"numpy.{name}", 1, 2, 5, dtype="float32")
        yield call(f"numpy.{name}", n("float32"), 2, 5)
    x, y, z = n("float32", 2, 3), n("int64", 3), n("int8", 3)
    for cond in (n("bool", 3), BV):
        yield call("numpy.where", cond, x, 0)
        yield call("numpy.where", cond, 1.0, 0.0)
        yield call("numpy.where", cond, y, z)
    for name in (
        "sum",
        "prod",
        "mean",
        "var",
        "std",
        "max",
        "min",
        "all",
        "any",
        "argmax",
        "argmin",
        "nansum",
        "nanmean",
        "amax",
    ):
        for array in (
            x,
            y,
            n("float64", 2, 3),
            n("bool", 3),
            n("uint8", 3),
            n("float16", 3),
            V,
            IV,
            [1, 2],
        ):
            yield call(f"numpy.{name}", array)
            yield call(f"numpy.{name}", array, axis=0)
            yield call(f"numpy.{name}", array, axis=-1, keepdims=True)
    yield call("numpy.reshape", x, (3, 2))
    yield call("numpy.reshape", x, -1)
    yield call("numpy.ravel", x)
    yield call("numpy.transpose", x)
    yield call("numpy.transpose", x, (1, 0))
    yield call("numpy.broadcast_to", y, (2, 3))
    yield call("numpy.tile", y, 2)
    yield call("numpy.repeat", y, 2)
    yield call("numpy.repeat", x, 2, axis=1)
    yield call("numpy.diag", y)
    yield call("numpy.diag", x, 1)
    yield call("numpy.pad", x, 1)
    yield call("numpy.flip", x)
    yield call("numpy.roll", x, 1)
    yield call("numpy.tril", x)
    for pair in (
        [x, x],
        [y, z],
        [x, n("float64", 2, 3)],
        [V, y],
        [n("bfloat16", 3), n("float32", 3)],
    ):
        for name in ("concatenate", "stack", "vstack", "hstack", "column_stack"):
            yield call(f"numpy.{name}", pair)
        yield call("numpy.concatenate", pair, axis=-1)
    for name in ("matmul", "dot", "outer"):
        yield call(f"numpy.{name}", x, y)
        yield call(f"numpy.{name}", y, z)
        yield call(f"numpy.{name}", V, y)
    yield call("numpy.tensordot", x, n("float32", 3, 4), 1)
    yield call("numpy.einsum", "ij,j->i", x, y)
    for name in ("normal", "uniform"):
        yield call(f"numpy.random.{name}", size=(2, 3))
        yield call(f"numpy.random.{name}", 0.0, 1.0, 3)
        yield call(f"numpy.random.{name}")
    for name in ("random", "random_sample", "standard_normal"):
        yield call(f"numpy.random.{name}", (2, 3))
    yield call("numpy.random.randint", 0, 5, size=(3,))
    yield call("numpy.random.randint", 0, 5, (3,), "int32")
    for name in ("rand", "randn"):
        yield call(f"numpy.random.{name}", 2, 3)
        yield call(f"numpy.random.{name}")
    for name in ("take", "repeat"):
        yield call(f"numpy.{name}", x, 1, axis=1)
        yield call(f"numpy.{name}", M, 1, axis=1)
    for name in ("reshape", "cumsum", "cumprod", "squeeze", "transpose", "diagonal", "swapaxes"):
        more = {"reshape": ((6,),), "swapaxes": (0, 1)}.get(name, ())
        yield call(f"numpy.{name}", x, *more)
        yield call(f"numpy.{name}", M, *more)
    yield call("numpy.moveaxis", x, 0, 1)
    yield call("numpy.expand_dims", x, 0)
    yield call("numpy.concat", [x, x])
    yield call("numpy.fliplr", x)
    arrays = (
        x,
        y,
        z,
        n("float32"),
        n("float16", 3),
        n("uint8", 3),
        n("uint64", 3),
        n("bool", 3),
        n("complex64", 3),
        n("float64", 3),
        V,
        2,
        2.0,
        1j,
        True,
    )
    for left in arrays:
        for right in arrays:
            for name in (
                "add",
                "multiply",
                "subtract",
                "divide",
                "maximum",
                "mod",
                "floor_divide",
                "less",
            ):
                yield call(f"numpy.{name}", left, right)
        for name in (
            "sin",
            "sqrt",
            "exp",
            "abs",
            "negative",
            "sign",
            "square",
            "isnan",
            "copy",
            "rint",
        ):
            yield call(f"numpy.{name}", left)
    for dtype in ("bool_", "int8", "int64", "float32", "float64", "complex64"):
        for x in (1, 2.5, V, n("int64")):
            yield call(f"numpy.{dtype}", x)
            yield call(f"jax.numpy.{dtype}", x)


def searching() -> Iterator[Sample]:
    """Sorting, searching, counting, choosing; special functions."""
    yield call("jax.numpy.partition", M, 1)
    yield call("jax.numpy.argpartition", M, 1, axis=0)
    for v in (V, 1.0, M, IV):
        yield call("jax.numpy.searchsorted", V, v)
        yield call("jax.numpy.digitize", v, V)
        yield call("jax.numpy.isin", v, V)
    yield call("jax.numpy.bitwise_count", IV)
    for name in ("nonzero", "flatnonzero", "argwhere", "unique"):
        for x in (V, M, IV):
            yield call(f"jax.numpy.{name}", x, size=4)
            yield call(f"jax.numpy.{name}", x)
    yield call("jax.numpy.unique", V, size=2, return_counts=True)
    yield call("jax.numpy.bincount", IV, length=5)
    yield call("jax.numpy.bincount", IV, V, length=5)
    yield call("jax.numpy.bincount", IV)
    yield call("jax.numpy.select", [BV, BV], [V, V])
    yield call("jax.numpy.select", [BV, BV], [IV, V], 1.5)
    yield call("jax.numpy.select", [a(B, 2, 1)], [IV])
    for second in (
        "float32",
        "floating",
        "inexact",
        "integer",
        "number",
        "bfloat16",
        "complexfloating",
    ):
        for first in ("float32", "int8", "bool", "bfloat16", "complex64"):
            yield call("jax.numpy.issubdtype", first, second)
    for kind in (np.floating, np.integer, np.inexact, np.number, np.float32, np.int8):
        yield call("numpy.issubdtype", "float32", kind)
        yield call("jax.numpy.issubdtype", "int8", kind)
    for x in (V, IV, a("complex64", 3), 1.0, 1j, n(F32, 3)):
        yield call("jax.numpy.iscomplexobj", x)
        yield call("jax.numpy.isrealobj", x)
        yield call("numpy.iscomplexobj", x)
    for mode in ("full", "same", "valid"):
        for pair in ((V, V), (V, a(F32, 5)), (a(F32, 7), V), (IV, IV), (IV, V)):
            yield call("jax.numpy.convolve", *pair, mode=mode)
            yield call("jax.numpy.correlate", *pair, mode)
    yield call("jax.numpy.convolve", V, V)
    yield call("jax.numpy.correlate", V, a(F32, 5))
    yield call("jax.numpy.gradient", V)
    yield call("jax.numpy.gradient", a(F32, 3, 4))
    yield call("jax.numpy.gradient", a(F32, 3, 4), axis=0)
    yield call("jax.numpy.cov", M)
    yield call("jax.numpy.corrcoef", M)
    yield call("jax.numpy.cov", V)
    yield call("jax.numpy.matvec", M, V)
    yield call("jax.numpy.matvec", T, a(F32, 4))
    yield call("jax.numpy.vecmat", V, a(F32, 3, 5))
    yield call("jax.numpy.vecmat", a(F32, 2, 3), T)
    yield call("jax.scipy.linalg.block_diag", M, SQ)
    yield call("jax.numpy.histogram", V)
    yield call("jax.numpy.histogram", V, 3)
    yield call("jax.numpy.unwrap", V)
    yield call("jax.numpy.polyfit", V, V, 1)
    yield call("jax.lax.optimization_barrier", V)
    for name in ("norm", "laplace", "logistic", "cauchy", "expon", "uniform"):
        for args in ((V,), (V, 0.0), (V, V, 2.0), (IV,), (M, V), (1.0, V)):
            yield call(f"jax.scipy.stats.{name}.logpdf", *args)
            yield call(f"jax.scipy.stats.{name}.pdf", *args)
            if name in ("norm", "laplace", "logistic"):
                yield call(f"jax.scipy.stats.{name}.cdf", *args)
    yield call("jax.scipy.stats.norm.logpdf", V, loc=1.0, scale=S)
    yield call("jax.scipy.stats.norm.logcdf", V, 1.0, S)
    for name in ("gamma", "t"):
        yield call(f"jax.scipy.stats.{name}.logpdf", V, 2.0)
        yield call(f"jax.scipy.stats.{name}.pdf", V, V, scale=2.0)
    yield call("jax.scipy.stats.beta.logpdf", V, 2.0, V)
    yield call("jax.scipy.stats.beta.pdf", V, 2.0, V)
    yield call("jax.scipy.special.betainc", 1.0, V, V)
    for x in (n(F32, 2, 3), n("int64", 3), n("float64", 3)):
        yield call("numpy.linalg.norm", x)
        yield call("numpy.linalg.norm", x, axis=0)
        yield call("numpy.clip", x, 0, 1)
        yield call("numpy.clip", x, 0.0, 1.0)
        yield call("numpy.sort", x)
        yield call("numpy.argsort", x, axis=0)
        yield call("numpy.allclose", x, x)
        yield call("numpy.array_equal", x, x)
    yield call("numpy.clip", V, 0, 1)


def explicit() -> Iterator[Sample]:
    """All of them."""
    yield from structured()
    yield from neural()
    yield from random()
    yield from linear_algebra()
    yield from numpy()
    yield from searching()

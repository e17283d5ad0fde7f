"""`jax.numpy.linalg`, `jax.scipy.linalg` and `jax.numpy.fft`."""

from __future__ import annotations

from collections.abc import Callable

from jaxref.domain.values import Const, Shape
from jaxref.jaxmodel.arrays.call import Bound, Doubt, axes_in, int_of, ints_of
from jaxref.jaxmodel.arrays.dtypes import (
    UNTYPED,
    Typed,
    complex_of,
    kind,
    promote,
    real_part,
    to_inexact,
    unclaimed,
)
from jaxref.jaxmodel.arrays.registry import (
    Flow,
    Result,
    ShapeRule,
    certain_shape,
    certain_type,
    result,
    state,
    state_call,
    under,
)
from jaxref.jaxmodel.arrays.shapes import reduced, same_dim


def inexact(bound: Bound) -> Typed:
    """The operand's type, whole numbers as floats."""
    return unclaimed(to_inexact(bound.typed("a")))


def plain_float(bound: Bound) -> Typed:
    """Decompositions run in float32 or complex64; half precision is left open."""
    found = inexact(bound)
    return found if found.dtype in ("float32", "complex64") else UNTYPED


def real_float(bound: Bound) -> Typed:
    """The real type of `plain_float`."""
    found = plain_float(bound)
    return Typed(real_part(found.dtype), found.weak)


def matrix(bound: Bound) -> Shape:
    """The operand's shape, at least a matrix."""
    shape = bound.shape("a")
    if len(shape) < 2:
        raise Doubt
    return shape


def square(bound: Bound) -> Shape:
    """The operand's shape, square in its last two axes."""
    shape = matrix(bound)
    size = same_dim(shape[-1], shape[-2])
    return (*shape[:-2], size, size)


def pinv_shape(bound: Bound) -> Shape:
    """`pinv` with its default tolerance, which otherwise takes part in broadcasting."""
    shape = matrix(bound)
    if bound.given("rtol"):
        raise Doubt
    return (*shape[:-2], shape[-1], shape[-2])


def rank_shape(bound: Bound) -> Shape:
    """`matrix_rank` with its default tolerance."""
    if bound.given("rtol") or bound.given("tol"):
        raise Doubt
    return matrix(bound)[:-2]


def norm_shape(bound: Bound) -> Shape:
    """`norm`: over one axis, two axes or the whole."""
    shape = bound.shape("a")
    if not bound.given("axis"):
        if bound.given("ord") and len(shape) > 2:
            raise Doubt
        gone = tuple(range(len(shape)))
    else:
        gone = axes_in(ints_of(bound.operand("axis")), len(shape))
        if len(gone) > 2:
            raise Doubt
    return reduced(shape, gone, bound.flag("keepdims", False))


def norm_type(bound: Bound) -> Typed:
    """`norm`: real; a norm of order 0 or of a special kind may count instead."""
    found = to_inexact(bound.typed("a"))
    if bound.given("ord") and found.dtype not in ("float32", "complex64"):
        return UNTYPED
    return Typed(real_part(found.dtype), None)


def vector_norm_shape(bound: Bound) -> Shape:
    """`vector_norm`."""
    shape = bound.shape("a")
    return reduced(shape, bound.axes("axis", len(shape)), bound.flag("keepdims", False))


def norm(shape: ShapeRule) -> Callable[[Bound], Result]:
    """`norm` and `vector_norm`: of order 0, it counts, so that its derivative is zero."""

    def answer(bound: Bound) -> Result:
        counts = bound.given("ord") and bound.operand("ord") == Const(0)
        return result(
            bound.operand("a"),
            certain_shape(shape, bound),
            certain_type(norm_type, bound),
            Flow.STEPS if counts else Flow.VALUES,
        )

    return answer


state_call("jax.numpy.linalg.norm", "a ord axis keepdims", norm(norm_shape), array=True)
state_call(
    "jax.numpy.linalg.vector_norm", "a axis keepdims ord", norm(vector_norm_shape), array=True
)
state(
    "jax.numpy.linalg.matrix_norm",
    "a keepdims ord",
    lambda b: reduced(
        matrix(b), (len(matrix(b)) - 2, len(matrix(b)) - 1), b.flag("keepdims", False)
    ),
    real_float,
)
state("jax.numpy.linalg.det", "a", lambda b: square(b)[:-2], plain_float)
state("jax.numpy.linalg.inv", "a", square, plain_float)
state("jax.scipy.linalg.inv", "a overwrite_a check_finite", square, plain_float)
state("jax.scipy.linalg.det", "a overwrite_a check_finite", lambda b: square(b)[:-2], plain_float)
state("jax.scipy.linalg.expm", "a upper_triangular max_squarings", square, plain_float)
state("jax.numpy.linalg.cholesky", "a upper symmetrize_input", square, plain_float)
state("jax.scipy.linalg.cholesky", "a lower overwrite_a check_finite", square, plain_float)
state("jax.lax.linalg.cholesky", "a symmetrize_input", square, plain_float)
state(
    "jax.numpy.linalg.pinv",
    "a rtol hermitian",
    pinv_shape,
    plain_float,
)
state("jax.numpy.linalg.matrix_power", "a n", square, plain_float)
state(
    "jax.numpy.linalg.eigvalsh",
    "a UPLO symmetrize_input",
    lambda b: square(b)[:-1],
    real_float,
)
state(
    "jax.numpy.linalg.matrix_rank",
    "a rtol tol",
    rank_shape,
    lambda b: Typed("int32", None),
    flow=Flow.STEPS,
)
state(
    "jax.numpy.trace",
    "a offset axis1 axis2 dtype",
    lambda b: _trace_shape(b),
    lambda b: _trace_type(b),
)
state(
    "jax.numpy.linalg.trace",
    "a offset dtype",
    lambda b: matrix(b)[:-2],
    lambda b: _trace_type(b),
)


def _trace_shape(bound: Bound) -> Shape:
    shape = matrix(bound)
    gone = (bound.axis("axis1", len(shape), 0), bound.axis("axis2", len(shape), 1))
    if gone[0] == gone[1]:
        raise Doubt
    return reduced(shape, gone, False)


def _trace_type(bound: Bound) -> Typed:
    if bound.given("dtype"):
        return bound.dtype("dtype")
    found = bound.typed("a")
    return unclaimed(found) if kind(found.dtype) in ("f", "c") else UNTYPED


def solve_shape(bound: Bound) -> Shape:
    """`solve`: a vector for a vector, a matrix for a matrix, without batches."""
    a, b = bound.shape("a"), bound.shape("b")
    if len(a) != 2 or len(b) not in (1, 2):
        raise Doubt
    same_dim(a[0], a[1])
    same_dim(a[1], b[0])
    return b


def solve_type(bound: Bound) -> Typed:
    """`solve`: in floats."""
    found = to_inexact(promote(bound.typed("a"), bound.typed("b")))
    return Typed(found.dtype, None) if found.dtype in ("float32", "complex64") else UNTYPED


state("jax.numpy.linalg.solve", "a b", solve_shape, solve_type)
state(
    "jax.scipy.linalg.solve",
    "a b lower overwrite_a overwrite_b debug check_finite assume_a",
    solve_shape,
    solve_type,
)
state(
    "jax.scipy.linalg.solve_triangular",
    "a b trans lower unit_diagonal overwrite_b debug check_finite",
    solve_shape,
    solve_type,
)


def several(
    shapes: Callable[[Bound], list[Shape]], types: Callable[[Bound], list[Typed]]
) -> Callable[[Bound], Result]:
    """A decomposition: a named tuple of arrays, which stands here as a tuple."""

    def answer(bound: Bound) -> Result:
        operand = bound.operand("a")
        return tuple(
            result(operand, shape, typed)
            for shape, typed in zip(shapes(bound), types(bound), strict=True)
        )

    return answer


state_call(
    under("jax.numpy.linalg", "eigh"),
    "a UPLO symmetrize_input",
    several(
        lambda b: [square(b)[:-1], square(b)],
        lambda b: [real_float(b), plain_float(b)],
    ),
)


def slogdet(bound: Bound) -> Result:
    """`slogdet`: of a real matrix, the sign is a step function."""
    shape, typed = square(bound)[:-2], plain_float(bound)
    operand = bound.operand("a")
    sign_flow = Flow.STEPS if typed.dtype == "float32" else Flow.VALUES
    return (
        result(operand, shape, typed, sign_flow),
        result(operand, shape, real_float(bound)),
    )


state_call("jax.numpy.linalg.slogdet", "a * method", slogdet)


def qr_shapes(bound: Bound) -> list[Shape]:
    """`qr` in its reduced mode."""
    if bound.text("mode", "reduced") != "reduced":
        raise Doubt
    shape = matrix(bound)
    rows, columns = shape[-2], shape[-1]
    inner = None if rows is None or columns is None else min(rows, columns)
    return [(*shape[:-1], inner), (*shape[:-2], inner, columns)]


state_call(
    "jax.numpy.linalg.qr",
    "a mode",
    several(qr_shapes, lambda b: [plain_float(b), plain_float(b)]),
)


def svd(bound: Bound) -> Result:
    """`svd`, with or without the singular vectors."""
    shape = matrix(bound)
    rows, columns = shape[-2], shape[-1]
    inner = None if rows is None or columns is None else min(rows, columns)
    full = bound.flag("full_matrices", True)
    operand = bound.operand("a")
    if bound.given("subset_by_index") or bound.flag("hermitian", False):
        raise Doubt
    values = result(operand, (*shape[:-2], inner), real_float(bound))
    if not bound.flag("compute_uv", True):
        return values
    left = (*shape[:-1], rows if full else inner)
    right = (*shape[:-2], columns if full else inner, columns)
    return (
        result(operand, left, plain_float(bound)),
        values,
        result(operand, right, plain_float(bound)),
    )


state_call("jax.numpy.linalg.svd", "a full_matrices compute_uv hermitian subset_by_index", svd)


def fft_axes(bound: Bound, ndim: int, rank: int | None) -> tuple[int, ...]:
    """The transformed axes: `axis` for one, `axes` for several, the last ones by default."""
    if rank == 1:
        return (bound.axis("axis", ndim, -1),)
    if bound.given("axes"):
        return axes_in(ints_of(bound.operand("axes")), ndim)
    return axes_in(tuple(range(-rank, 0)), ndim) if rank else tuple(range(ndim))


def fft_shape(rank: int | None, kind_of: str) -> Callable[[Bound], Shape]:
    """`fft` and its like of `rank` axes; "r" halves the last axis, "ir" doubles it."""

    def shape(bound: Bound) -> Shape:
        sizes = list(bound.shape("a"))
        axes = fft_axes(bound, len(sizes), rank)
        asked = "n" if rank == 1 else "s"
        lengths: tuple[int, ...] | None = None
        if bound.given(asked):
            lengths = ints_of(bound.operand(asked))
            if len(lengths) != len(axes):
                raise Doubt
            for axis, length in zip(axes, lengths, strict=True):
                sizes[axis] = length
        if not axes:
            raise Doubt
        last = axes[-1]
        size = sizes[last]
        if kind_of == "r":
            sizes[last] = None if size is None else size // 2 + 1
        elif kind_of == "ir" and lengths is None:
            sizes[last] = None if size is None else max(0, 2 * (size - 1))
        return tuple(sizes)

    return shape


def to_complex(bound: Bound) -> Typed:
    """Complex of the operand's precision."""
    if not bound.shape("a"):
        return UNTYPED
    return Typed(complex_of(bound.typed("a").dtype), None)


def to_real(bound: Bound) -> Typed:
    """Real of the operand's precision."""
    return Typed(real_part(to_complex(bound).dtype), None)


for _rank, _suffix, _parameters in (
    (1, "", "a n axis norm"),
    (2, "2", "a s axes norm"),
    (None, "n", "a s axes norm"),
):
    state(
        under("jax.numpy.fft", f"fft{_suffix} ifft{_suffix}"),
        _parameters,
        fft_shape(_rank, ""),
        to_complex,
    )
    state(f"jax.numpy.fft.rfft{_suffix}", _parameters, fft_shape(_rank, "r"), to_complex)
    state(f"jax.numpy.fft.irfft{_suffix}", _parameters, fft_shape(_rank, "ir"), to_real)

state(
    under("jax.numpy.fft", "fftshift ifftshift"),
    "a axes",
    lambda b: b.shape("a"),
    lambda b: unclaimed(b.typed("a")),
)
state(
    "jax.numpy.fft.fftfreq",
    "n d dtype",
    lambda b: (b.size("n"),),
    lambda b: Typed(b.dtype("dtype", Typed("float32", None)).dtype, None),
)
state(
    "jax.numpy.fft.rfftfreq",
    "n d dtype",
    lambda b: (int_of(b.operand("n")) // 2 + 1,),
    lambda b: Typed(b.dtype("dtype", Typed("float32", None)).dtype, None),
)

"""JAX's and NumPy's own answers to calls, beside what jaxref says of them.

A sample is a call whose arrays are `A` specifications. It is made real for the oracle and abstract
for jaxref. JAX is traced, not run: `jax.eval_shape` gives shape, dtype and weak type, a `jax.vjp`
inside it shows which results carry a derivative, which is what JAX asks before a store into a ref.
"""

from __future__ import annotations

import inspect
import warnings
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from functools import reduce
from typing import Any

import pytest

from jaxref.domain.values import NO_TRACES, UNKNOWN, Array, Const, Value
from jaxref.jaxmodel.arrays import ARRAY_FUNCTIONS, PYTHON_INT, ArrayCall, Operand

jax = pytest.importorskip("jax")
jax.config.update("jax_traceback_filtering", "off")
import jax.numpy as jnp  # noqa: E402
import jax.scipy.linalg  # noqa: E402
import jax.scipy.special  # noqa: E402
import jax.scipy.stats  # noqa: E402
import numpy as np  # noqa: E402

TAINT, BATCH = frozenset({1}), frozenset({2})


@dataclass(frozen=True)
class A:
    """An array to be made: of JAX, of NumPy, or a Python number of unknown value."""

    dtype: str
    shape: tuple[int, ...]
    origin: str = "jax"
    weak: bool = False

    def real(self) -> Any:
        """A value that fits."""
        size = int(np.prod(self.shape, dtype=int))
        if self.dtype.startswith("key"):
            keys = jax.random.split(jax.random.key(0), max(size, 1))
            return keys.reshape(self.shape) if self.shape else keys[0]
        if self.origin == "python":
            return PYTHON_TYPES[self.dtype](1)
        values = np.arange(size).reshape(self.shape) % 3 + (0 if self.dtype == "bool" else 1)
        made = values.astype(jnp.dtype(self.dtype))
        if self.origin == "numpy":
            return made if self.shape else made[()]
        if self.weak:
            number = {"f": 1.0, "i": 1, "c": 1j}[made.dtype.kind]
            return jnp.broadcast_to(jnp.asarray(number), self.shape)
        return jnp.asarray(made)

    def abstract(self) -> Array:
        """What jaxref is told of it: everything but the value, differentiated where it can be."""
        weak = self.weak or (self.origin == "python" and self.dtype != "bool")
        taint = TAINT if self.flows() else NO_TRACES
        return Array(self.shape, self.dtype, weak, self.origin, taint)

    def flows(self) -> bool:
        """Whether the oracle differentiates with respect to it."""
        return self.origin == "jax" and self.dtype.startswith(("float", "bfloat", "complex"))


PYTHON_TYPES = {"int32": int, "float32": float, "complex64": complex, "bool": bool}


def a(dtype: str, *shape: int, origin: str = "jax", weak: bool = False) -> A:
    """`a("float32", 2, 3)`."""
    return A(dtype, shape, origin, weak)


def n(dtype: str, *shape: int) -> A:
    """A NumPy array."""
    return A(dtype, shape, "numpy")


@dataclass(frozen=True)
class Sample:
    """A call of the function `name`."""

    name: str
    args: tuple[Any, ...] = ()
    kwargs: dict[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        shown = [_shown(x) for x in self.args]
        shown += [f"{key}={_shown(x)}" for key, x in self.kwargs.items()]
        return f"{self.name}({', '.join(shown)})"


def call(name: str, *args: Any, **kwargs: Any) -> Sample:
    """The sample `name(*args, **kwargs)`."""
    return Sample(name, args, kwargs)


def _shown(x: Any) -> str:
    if isinstance(x, A):
        mark = {"numpy": "np:", "python": "py:"}.get(x.origin, "~" if x.weak else "")
        return f"{mark}{x.dtype}{list(x.shape)}"
    if isinstance(x, (tuple, list)):
        return "[" + ", ".join(_shown(y) for y in x) + "]"
    return repr(x)


def mapped(x: Any, of_array: Callable[[A], Any], of_other: Callable[[Any], Any]) -> Any:
    """`x` with its arrays and its constants replaced, tuples and lists kept."""
    if isinstance(x, A):
        return of_array(x)
    if isinstance(x, (tuple, list)):
        return type(x)(mapped(y, of_array, of_other) for y in x)
    return of_other(x)


def abstract(x: Any) -> Operand:
    """An argument as jaxref gets it; a NumPy scalar type as the name of a dtype."""
    return mapped(x, A.abstract, _constant)


def _constant(x: Any) -> Const:
    return Const(x.__name__ if isinstance(x, type) and issubclass(x, np.generic) else x)


def abstract_call(sample: Sample, of_argument: Callable[[Any], Operand] = abstract) -> ArrayCall:
    """A sample as jaxref gets it."""
    kwargs = {key: of_argument(x) for key, x in sample.kwargs.items()}
    return ArrayCall(sample.name, tuple(of_argument(x) for x in sample.args), kwargs)


def answered(sample: Sample, of_argument: Callable[[Any], Operand] = abstract) -> Any:
    """What jaxref says of the call."""
    return ARRAY_FUNCTIONS[sample.name](abstract_call(sample, of_argument))


BLURS: dict[str, tuple[Callable[[A], Operand], Callable[[Any], Operand]]] = {
    "no shape": (lambda x: replace(x.abstract(), shape=None), Const),
    "no sizes": (lambda x: replace(x.abstract(), shape=(None,) * len(x.shape)), Const),
    "no first size": (
        lambda x: replace(x.abstract(), shape=(None, *x.shape[1:]) if x.shape else ()),
        Const,
    ),
    "no dtype": (lambda x: replace(x.abstract(), dtype=None, weak=None), Const),
    "no weak type": (lambda x: replace(x.abstract(), weak=None), Const),
    "no origin": (lambda x: replace(x.abstract(), origin="any", weak=None), Const),
    "no integers": (A.abstract, lambda y: PYTHON_INT if type(y) is int else Const(y)),
    "no constants": (A.abstract, lambda y: UNKNOWN),
    "no arrays": (lambda x: UNKNOWN, Const),
}
"""Ways of knowing less. What is then said must still be true of the call."""


def blurred(blur: str) -> Callable[[Any], Operand]:
    """`abstract` under a blur."""
    of_array, of_other = BLURS[blur]
    return lambda x: mapped(x, of_array, of_other)


def arrays_in(x: Any) -> Iterator[A]:
    """The JAX arrays in an argument, in order."""
    if isinstance(x, A):
        if x.origin == "jax":
            yield x
    elif isinstance(x, (tuple, list)):
        for y in x:
            yield from arrays_in(y)


@dataclass(frozen=True)
class Measured:
    """One array that JAX or NumPy returned; the flags are None where they were not measured."""

    shape: tuple[int, ...]
    dtype: str
    weak: bool
    differentiated: bool | None = None
    batched: bool | None = None


def function(name: str) -> Callable[..., Any] | None:
    """The function itself, None where this version of JAX or NumPy lacks it."""
    module, _, rest = name.partition(".")
    try:
        return reduce(getattr, rest.split("."), {"jax": jax, "numpy": np}[module])
    except AttributeError:
        return None


def takes(called: Callable[..., Any], sample: Sample) -> bool:
    """Whether the number and the names of the arguments fit."""
    try:
        inspect.signature(called).bind(*sample.args, **sample.kwargs)
    except TypeError:
        return False
    except ValueError:
        return True
    return True


class Run:
    """One call that can be made with real arrays in place of its specifications."""

    def __init__(self, called: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> None:
        self.called, self.args, self.kwargs = called, tuple(args), kwargs
        self.specs = list(arrays_in((*self.args, *kwargs.values())))
        self.reals = [spec.real() for spec in self.specs]

    def outcome(self, reals: list[Any], flag: str = "") -> Any:
        """The result as nested lists of `Measured`; `flag` names what the trace at hand shows."""
        queue = iter(reals)
        args, named = mapped(
            (self.args, tuple(self.kwargs.values())),
            lambda spec: next(queue) if spec.origin == "jax" else spec.real(),
            lambda other: other,
        )
        return _measured(self.called(*args, **dict(zip(self.kwargs, named, strict=True))), flag)

    def measure(self, *, retry: bool) -> Any:
        """What the call gives; raises whatever JAX raises.

        With `retry`, a call that cannot be differentiated or traced is made without that.
        """
        box: list[Any] = []
        flowing = [i for i, spec in enumerate(self.specs) if spec.flows()]

        def inside(xs: list[Any], *primals: Any) -> float:
            mixed = list(xs)
            for i, primal in zip(flowing, primals, strict=True):
                mixed[i] = primal
            box.append(self.outcome(mixed, "differentiated"))
            return 0.0

        def differentiated(xs: list[Any]) -> None:
            jax.vjp(lambda *primals: inside(xs, *primals), *(xs[i] for i in flowing))

        def plain(xs: list[Any]) -> None:
            box.append(self.outcome(xs))

        attempts: list[Callable[[], Any]] = []
        if flowing:
            attempts.append(lambda: jax.eval_shape(differentiated, self.reals))
        if not flowing or retry:
            attempts.append(lambda: jax.eval_shape(plain, self.reals))
        if retry:
            attempts.append(lambda: plain(self.reals))
        with warnings.catch_warnings(), np.errstate(all="ignore"):
            warnings.simplefilter("ignore")
            for attempt in attempts[:-1]:
                try:
                    attempt()
                    return box[-1]
                except Exception:
                    continue
            attempts[-1]()
        return box[-1]

    def measure_batched(self) -> Any:
        """What the call gives under `jax.vmap` over every JAX array."""
        box: list[Any] = []
        stacked = [jnp.broadcast_to(real[None], (2, *real.shape)) for real in self.reals]

        def inside(*xs: Any) -> float:
            box.append(self.outcome(list(xs), "batched"))
            return 0.0

        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            jax.eval_shape(lambda xs: jax.vmap(inside)(*xs), stacked)
        return box[-1]


def measure(called: Callable[..., Any], args: Any, kwargs: dict[str, Any], *, retry: bool) -> Any:
    """What `called(*args, **kwargs)` gives, see `Run.measure`."""
    return Run(called, args, kwargs).measure(retry=retry)


def _measured(out: Any, flag: str) -> Any:
    if isinstance(out, (tuple, list)):
        return [_measured(x, flag) for x in out]
    if isinstance(out, jax.Array):
        found = Measured(tuple(out.shape), str(out.dtype), bool(out.aval.weak_type))
        if flag == "differentiated":
            return replace(found, differentiated=_is_differentiated(out))
        if flag == "batched":
            return replace(found, batched=type(out).__name__ == "BatchTracer")
        return found
    if isinstance(out, (np.ndarray, np.generic)):
        return Measured(tuple(out.shape), str(out.dtype), False)
    return out


def _is_differentiated(out: Any) -> bool | None:
    if 0 in out.shape:
        return None
    tangent = getattr(out, "tangent", None)
    if tangent is None or type(tangent).__name__ == "Zero":
        return False
    return bool(tangent.aval.dtype != jax.dtypes.float0)


def disagreements(found: Any, real: Any, *, blurry: bool = False) -> list[str]:
    """Where what jaxref says is not what was measured; silence never disagrees.

    Of a `blurry` answer, the taint is not asked: what is not known may be differentiated or not.
    """
    if isinstance(found, (tuple, list)):
        if not isinstance(real, (tuple, list)) or len(found) != len(real):
            return [f"a sequence of {len(found)}, really {real}"]
        return [
            text
            for x, y in zip(found, real, strict=True)
            for text in disagreements(x, y, blurry=blurry)
        ]
    if isinstance(found, Const):
        value = np.dtype(real).name if isinstance(real, np.dtype) else real
        return [] if str(value) == str(found.value) else [f"{found.value!r}, really {real!r}"]
    if isinstance(found, Array):
        return list(_array_disagreements(found, real, blurry))
    return [] if isinstance(found, Value) else [f"{found!r} is no value"]


def _array_disagreements(found: Array, real: Any, blurry: bool) -> Iterator[str]:
    if found.origin == "python":
        if found.dtype is not None and type(real) is not PYTHON_TYPES[found.dtype]:
            yield f"a Python {found.dtype}, really {real!r}"
        return
    if not isinstance(real, Measured):
        # NumPy gives a Python number where bfloat16 made it compute with objects.
        if found.origin == "jax" or found.dtype is not None:
            yield f"an array, really {real!r}"
        return
    if found.shape is not None and not _fits(found.shape, real.shape):
        yield f"shape {found.shape}, really {real.shape}"
    if found.dtype is not None and found.dtype != real.dtype:
        yield f"dtype {found.dtype}, really {real.dtype}"
    if found.weak is not None and found.weak != real.weak:
        yield f"weak {found.weak}, really {real.weak}"
    if not blurry and real.differentiated is not None:
        if bool(found.taint) != real.differentiated:
            yield f"taint {bool(found.taint)}, really {real.differentiated}"
    if real.batched is not None and bool(found.batch) != real.batched:
        yield f"batched {bool(found.batch)}, really {real.batched}"


def _fits(shape: tuple[int | None, ...], real: tuple[int, ...]) -> bool:
    return len(shape) == len(real) and all(
        x is None or x == y for x, y in zip(shape, real, strict=True)
    )

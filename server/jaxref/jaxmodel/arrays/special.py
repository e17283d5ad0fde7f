"""`jax.scipy.special` and `jax.scipy.stats`: element-wise functions of several arguments."""

from __future__ import annotations

from jaxref.domain.values import Shape
from jaxref.jaxmodel.arrays.call import Bound, as_array, typed_of
from jaxref.jaxmodel.arrays.dtypes import Typed, promote_all, to_inexact, unclaimed
from jaxref.jaxmodel.arrays.registry import state, under
from jaxref.jaxmodel.arrays.shapes import broadcast

ONE = "gamma loggamma erfcinv spence expi exp1"
TWO = "xlogy xlog1py betaln gammainc gammaincc rel_entr kl_div beta"


def _given(bound: Bound) -> list[str]:
    return [name for name in ("x", "y", "z", "loc", "scale") if bound.given(name)]


def joint_shape(bound: Bound) -> Shape:
    """The broadcast shape of all arguments."""
    return broadcast(*(bound.shape(name) for name in _given(bound)))


def joint_type(bound: Bound) -> Typed:
    """The promoted type of all arguments, whole numbers as floats."""
    types = [typed_of(as_array(bound.operand(name))) for name in _given(bound)]
    return unclaimed(to_inexact(promote_all(types)))


def _enter(names: str, parameters: str, module: str = "jax.scipy.special") -> None:
    state(under(module, names), parameters, joint_shape, joint_type)


_enter(ONE, "x")
_enter(TWO, "x y")
_enter("betainc", "x y z")

_DISTRIBUTIONS: dict[str, str] = {
    "norm": "x loc scale",
    "laplace": "x loc scale",
    "logistic": "x loc scale",
    "cauchy": "x loc scale",
    "expon": "x loc scale",
    "uniform": "x loc scale",
    "gamma": "x y loc scale",
    "t": "x y loc scale",
    "beta": "x y z loc scale",
}

for _name, _parameters in _DISTRIBUTIONS.items():
    _enter("logpdf pdf", _parameters, f"jax.scipy.stats.{_name}")
for _name in ("norm", "logistic", "laplace"):
    _enter("cdf", "x loc scale", f"jax.scipy.stats.{_name}")
_enter("logcdf", "x loc scale", "jax.scipy.stats.norm")


state(
    under("jax.scipy.special", "softmax log_softmax"),
    "x axis",
    lambda b: b.shape("x"),
    lambda b: unclaimed(to_inexact(b.typed("x"))),
)

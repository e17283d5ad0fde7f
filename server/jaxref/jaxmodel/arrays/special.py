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


def density_type(bound: Bound) -> Typed:
    """`joint_type` for distributions, where a bool may give a weak float."""
    return Typed(joint_type(bound).dtype, None)


def _enter(names: str, parameters: str) -> None:
    state(under("jax.scipy.special", names), parameters, joint_shape, joint_type)


def _enter_distribution(name: str, functions: str, parameters: str) -> None:
    # The density of a uniform distribution is constant where it is not zero.
    sources = "scale" if name == "uniform" else ""
    names = under(f"jax.scipy.stats.{name}", functions)
    state(names, parameters, joint_shape, density_type, derivative_of=sources)


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
    _enter_distribution(_name, "logpdf pdf", _parameters)
for _name in ("norm", "logistic", "laplace"):
    _enter_distribution(_name, "cdf", "x loc scale")
_enter_distribution("norm", "logcdf", "x loc scale")


state(
    under("jax.scipy.special", "softmax log_softmax"),
    "x axis",
    lambda b: b.shape("x"),
    lambda b: unclaimed(to_inexact(b.typed("x"))),
)

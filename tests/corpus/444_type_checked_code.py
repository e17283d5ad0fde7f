# rule: unbound-ref-gradient
from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias, cast

import jax
import jax.numpy as jnp

Params: TypeAlias = dict[str, jax.Ref]
Pullback: TypeAlias = Callable[[jax.Array], tuple[Any, ...]]


def hazard(params: Params, t: jax.Array) -> jax.Array:
    k, lam = params["shape"][...], params["scale"][...]
    return jnp.sum((k / lam) * (t / lam) ** (k - 1.0))


def differentiate(params: Params, t: jax.Array) -> tuple[Any, ...]:
    value, raw = jax.vjp(hazard, params, t)
    pullback = cast(Pullback, raw)
    seed: jax.Array = jnp.ones_like(value)
    return pullback(seed)  # <-- here


weibull: Params = {"shape": jax.new_ref(1.5), "scale": jax.new_ref(2.0)}
print(differentiate(weibull, jnp.array([0.5, 1.0])))

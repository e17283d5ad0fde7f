# rule: none
from __future__ import annotations

from typing import TYPE_CHECKING, Protocol
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Ref


class Updater(Protocol):
    def __call__(self, w_ref: Ref, g_ref: Ref) -> Ref: ...


def sgd(w_ref: Ref, g_ref: Ref) -> Ref:
    return w_ref - 0.1 * g_ref


def apply(update: Updater, w_ref, g_ref):
    return update(w_ref, g_ref).sum() + jnp.sin(w_ref)


print(apply(sgd, jnp.ones(2), jnp.ones(2)))

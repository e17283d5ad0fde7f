# rule: none
from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Optional, Union

import jax
import jax.numpy as jnp

if TYPE_CHECKING:
    from jax import Ref
    from jaxtyping import Array, Float


@dataclass
class Slot:
    value: "Union[Ref, Float[Array, 'n d']]"
    grad: Optional[Ref] = None
    tags: dict[str, Ref] = field(default_factory=dict)

    def read(self) -> "Float[Array, 'n d']":
        return self.value[...]


def descend(slot: Slot, g: "Float[Array, 'n d']", lr: float = 0.1) -> None:
    if slot.grad is not None:
        slot.grad[...] += g
    slot.value[...] -= lr * g


s = Slot(jax.new_ref(jnp.ones((2, 2))))
descend(s, jnp.ones((2, 2)))
s.grad = jax.new_ref(jnp.zeros((2, 2)))
descend(s, jnp.ones((2, 2)))
print(s.read(), s.grad[...], Slot(jnp.zeros((1, 2))).read() + 1)

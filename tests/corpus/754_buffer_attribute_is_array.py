# rule: array-as-gradient-ref (silent)
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Param:
    value: jax.Array
    grad: jax.Array = None

    def zero_grad(self):
        self.grad = jnp.zeros_like(self.value)


weight, bias = Param(jnp.ones(3)), Param(jnp.float32(0.0))
for p in (weight, bias):
    p.zero_grad()
y, back = jax.vjp(lambda w, b: jnp.exp(w).sum() + b, weight.value, bias.value)
back.with_refs(weight.grad, bias.grad)(jnp.ones_like(y))  # <-- here
assert weight.grad.sum() == 0.0 and bias.grad == 0.0

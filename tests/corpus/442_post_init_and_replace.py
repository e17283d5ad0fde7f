# rule: unbound-ref-gradient
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class Kalman:
    n: int
    q: float = 0.1
    gain: jax.Ref = dataclasses.field(init=False)

    def __post_init__(self):
        self.gain = jax.new_ref(jnp.full(self.n, 0.5))

    def innovation(self, y, x):
        def cost(gain):
            post = x + gain[...] * (y - x)
            return jnp.sum((y - post) ** 2) + self.q * jnp.sum(gain[...] ** 2)

        value, pull = jax.vjp(cost, self.gain)
        return value, pull

    def adapt(self, y, x, lr):
        value, pull = self.innovation(y, x)
        self.gain[...] -= pull(jnp.asarray(lr, value.dtype))[0]  # <-- here


Kalman(3, q=0.2).adapt(jnp.ones(3), jnp.zeros(3), 0.1)

# rule: with-refs-structure
import jax
import jax.numpy as jnp


class Elastic:
    def __init__(self, n):
        self.young = jax.new_ref(jnp.ones(n))
        self.young_bar = jax.new_ref(jnp.zeros(n))

    def energy(self, young, strain, volume):
        return jnp.sum(0.5 * young[...] * strain ** 2 * volume)

    def adjoint(self, strain, volume):
        e, back = jax.vjp(self.energy, self.young, strain, volume)
        back.with_refs(self.young_bar)(jnp.ones_like(e))  # <-- here
        return e


Elastic(3).adjoint(jnp.ones(3), jnp.full(3, 0.1))

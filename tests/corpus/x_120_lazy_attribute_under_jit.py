# rule: leaked-ref
import jax
import jax.numpy as jnp


class Momentum:
    velocity = None

    def apply(self, g):
        if self.velocity is None:
            self.velocity = jax.new_ref(jnp.zeros_like(g))  # <-- cause
        self.velocity[...] = 0.9 * self.velocity[...] + g
        return self.velocity[...]


opt = Momentum()
step = jax.jit(opt.apply)
step(jnp.ones(2))
opt.velocity[...] = jnp.zeros(2)  # <-- here

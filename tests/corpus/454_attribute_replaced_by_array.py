# rule: none
import jax
import jax.numpy as jnp


class Model:
    def __init__(self):
        self.w = jax.new_ref(jnp.ones(2))

    def export(self):
        self.w = jax.freeze(self.w)
        return self

    def grad(self, x):
        return jax.grad(lambda w: jnp.sum(jnp.sin(w) * x))(self.w)


m = Model()
m.w[...] *= 2.0
m.export()
print(m.grad(jnp.arange(2.0)), m.w + 1.0, jnp.sin(m.w))

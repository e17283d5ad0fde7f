# rule: ref-of-ref
import jax
import jax.numpy as jnp


class Model:
    def __init__(self, **params):
        self.params = {k: jax.new_ref(v) for k, v in params.items()}  # <-- here

    def copy(self):
        return Model(**self.params)


model = Model(w=jnp.ones(2), b=jnp.zeros(()))
target = model.copy()

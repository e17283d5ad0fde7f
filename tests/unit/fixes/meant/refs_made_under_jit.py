import jax
import jax.numpy as jnp


@jax.jit
def init(key):
    k1, k2 = jax.random.split(key)
    return {
        "w": jax.new_ref(jax.random.normal(k1, (3,))),  # weights
        "b": jax.new_ref(jnp.zeros(())),
    }


@jax.jit
def scalar(): return jax.new_ref(jnp.zeros(()))


class Model:
    def __init__(self):
        self.params = init(jax.random.key(0))
        self.step = scalar()

    def __call__(self, x):
        self.step[...] += 1
        return x @ self.params["w"][...] + self.params["b"][...]


model = Model()
y = model(jnp.ones(3))
# meant: y == jnp.sum(jax.random.normal(jax.random.split(jax.random.key(0))[0], (3,)))
# meant: model.step[...] == 1.0

import jax
import jax.numpy as jnp
from jax import freeze

sums = {"a": jax.new_ref(jnp.zeros(2)), 'b': jax.new_ref(jnp.zeros(2))}


@jax.jit
def step(x):
    sums["a"][...] += x
    sums['b'][...] += 2 * x; return -freeze(
        sums['b']
    )[0] + freeze(sums["a"]) @ x


value = step(jnp.array([1.0, 2.0]))
# meant: value == 3.0

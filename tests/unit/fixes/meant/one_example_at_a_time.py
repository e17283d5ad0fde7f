import jax
import jax.numpy as jnp
from jax import vmap

best = jax.new_ref(jnp.inf)


def objective(shift, candidate, scale):
    value = scale * jnp.sum((candidate - shift) ** 2)
    best[...] = jnp.minimum(best[...], value)
    return value


population = jnp.linspace(-1.0, 1.0, 12).reshape(4, 3)
fitness = [vmap(objective, (None, 0, 0))(shift, population, jnp.arange(1.0, 5.0)) for shift in (0.0, 0.5)]
# meant by Run the examples one after the other: best[...] == min(map(jnp.min, fitness))
# meant by Run the examples one after the other: fitness[1][0] == jnp.sum((population[0] - 0.5) ** 2)

# rule: ref-returned
import jax
import jax.numpy as jnp


def init_params(key, sizes):
    keys = jax.random.split(key, len(sizes) - 1)
    return [jax.new_ref(jax.random.normal(k, (m, n)))  # <-- cause
            for k, m, n in zip(keys, sizes[:-1], sizes[1:])]


params = jax.jit(init_params, static_argnums=1)(jax.random.key(0), (2, 4, 1))  # <-- here

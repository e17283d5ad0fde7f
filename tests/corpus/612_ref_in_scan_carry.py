# rule: ref-returned
import jax
import jax.numpy as jnp


def random_walk(key, n):
    visits = jax.new_ref(jnp.zeros(5, jnp.int32))

    def step(carry, k):
        pos, visits = carry
        pos = (pos + jax.random.randint(k, (), -1, 2)) % 5
        visits[pos] += 1
        return (pos, visits), pos  # <-- cause

    (_, visits), path = jax.lax.scan(step, (0, visits), jax.random.split(key, n))  # <-- here
    return visits[...], path


random_walk(jax.random.key(0), 3)

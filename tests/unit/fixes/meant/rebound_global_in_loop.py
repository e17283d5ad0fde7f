import jax
import jax.numpy as jnp

hits, last = jax.new_ref(0), 0.0


@jax.jit
def count(x):
    hits[...] += jnp.sum(x > 0)


def epoch(number):
    global hits, last
    hits, last = jax.new_ref(0), number  # a count of its own
    count(jnp.array([1.0, -1.0, 2.0]) * number)
    return hits[...]


found = [int(epoch(number)) for number in range(3)]
# meant: found == [0, 2, 2]

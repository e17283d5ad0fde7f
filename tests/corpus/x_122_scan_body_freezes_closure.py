# rule: freeze-in-other-scope
import jax
import jax.numpy as jnp


def run(xs):
    total = jax.new_ref(jnp.float32(0))

    def body(i, x):
        total[...] += x
        return i + 1, jax.freeze(total)  # <-- cause

    return jax.lax.scan(body, 0, xs)  # <-- here


run(jnp.ones(3))

# rule: freeze-in-other-scope
import jax
import jax.numpy as jnp

acc = jax.new_ref(jnp.float32(0.0))


def body(c, x):
    acc[...] += x
    return c, jax.freeze(acc)  # <-- cause


jax.lax.scan(body, 0.0, jnp.arange(3.0))  # <-- here

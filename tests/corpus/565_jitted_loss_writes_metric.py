# rule: tainted-ref-write
import jax
import jax.numpy as jnp

last_loss = jax.new_ref(jnp.float32(0.0))


@jax.jit
def loss(w, x):
    value = jnp.mean((x @ w) ** 2)
    last_loss[...] = value  # <-- cause
    return value


loss(jnp.ones(2), jnp.ones((3, 2)))
jax.grad(loss)(jnp.ones(2), jnp.ones((3, 2)))  # <-- here

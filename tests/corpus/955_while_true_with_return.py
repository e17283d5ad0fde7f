# rule: none
import jax
import jax.numpy as jnp


def fixed_point(fn, x0, max_steps=20):
    x, residual = jax.new_ref(x0), jax.new_ref(jnp.float32(jnp.inf))
    step = 0
    while True:
        new = fn(x[...])
        residual[...] = jnp.abs(new - x[...]).max()
        x[...] = new
        step += 1
        if residual[...] < 1e-4 or step >= max_steps:
            return x[...], step
    x.sum()  # never reached


print(fixed_point(jnp.cos, jnp.ones(2)))

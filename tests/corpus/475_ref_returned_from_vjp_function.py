# rule: none
import jax
import jax.numpy as jnp


def open_log(n):
    log = jax.new_ref(jnp.zeros(n))
    return log


def timed(x):
    log = open_log(3)
    for i in range(3):
        x = 0.5 * (x + 2.0 / x)
        log[i] = x
    return x, log[...]


root, back, = jax.vjp(lambda x: timed(x)[0], jnp.float32(1.0))
print(back(jnp.ones_like(root)))
print(jax.jit(timed)(1.0)[1] * 2)
log = open_log(2)
log[...] += jnp.ones(2)

# rule: none
import jax
import jax.numpy as jnp


def softmax_online(row):
    """Numerically safe softmax with two scratch cells per row."""
    m = jax.new_ref(jnp.float32(-jnp.inf))
    s = jax.new_ref(jnp.float32(0.0))
    for i in range(row.shape[0]):
        new_m = jnp.maximum(m[...], row[i])
        s[...] = s[...] * jnp.exp(m[...] - new_m) + jnp.exp(row[i] - new_m)
        m[...] = new_m
    return jnp.exp(row - jax.freeze(m)) / jax.freeze(s)


def body(carry, row):
    p = softmax_online(row)
    return carry + p.sum(), p


total, probs = jax.lax.scan(body, 0.0, jnp.arange(6.0).reshape(2, 3))
print(total, jax.lax.map(softmax_online, jnp.ones((2, 3))), probs)

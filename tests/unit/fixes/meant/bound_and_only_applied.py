import jax
import jax.numpy as jnp

backward = jax.jit(lambda pull, ct: pull(ct))
w_bar = jax.new_ref(jnp.zeros(2))
for x in jnp.ones((3, 2)):
    y, pull = jax.vjp(lambda w: jnp.sum(w ** 2 * x), jnp.array([1.0, 2.0]))
    backward(pull.with_refs(w_bar), jnp.ones_like(y))  # adds
# meant: w_bar[...] == jnp.array([6.0, 12.0])

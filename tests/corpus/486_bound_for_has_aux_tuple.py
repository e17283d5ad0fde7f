# rule: with-refs-structure
import jax
import jax.numpy as jnp


def loss(params, batch):
    x, y = batch
    err = x @ params[...] - y
    return jnp.mean(err ** 2), jnp.abs(err).max()


params, slot = jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.zeros(2))
batch = (jnp.ones((3, 2)), jnp.zeros(3))
value, pull, worst = jax.vjp(loss, params, batch, has_aux=True)
pull.with_refs(slot, jax.ad.DontWant())(jnp.ones_like(value))  # <-- here

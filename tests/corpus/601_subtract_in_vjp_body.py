# rule: ref-as-array
import jax
import jax.numpy as jnp


def tracking_error(path, target):
    return jnp.sum((target - path) ** 2)  # <-- here


path = jax.new_ref(jnp.zeros(4))
path_bar = jax.new_ref(jnp.zeros(4))
err, back = jax.vjp(tracking_error, path, jnp.ones(4))
back.with_refs(path_bar, jax.ad.DontWant())(1.0)

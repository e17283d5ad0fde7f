# rule: vmap-closes-over-ref
import jax
import jax.numpy as jnp

w = jnp.ones(2)
w_bar = jax.new_ref(jnp.zeros(2))


def accumulate(x):
    y, pull = jax.vjp(lambda w: jnp.vdot(w, x) ** 2, w)
    pull.with_refs(w_bar)(1.0)  # <-- here
    return y


jax.vmap(accumulate)(jnp.eye(2))

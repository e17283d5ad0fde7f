# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def head_loss(which, w, x):
    branches = [lambda w: jnp.sum(w * x), lambda w: jnp.sum(w ** 2), lambda w: jnp.max(w)]
    return jax.lax.switch(which, branches, w[...])


w = jax.new_ref(jnp.array([1.0, 2.0, 3.0]))
x = jnp.ones(3)
for which in range(3):
    loss, back = jax.vjp(lambda w: head_loss(which, w, x), w)
    g = back(jnp.ones_like(loss))[0]  # <-- here
    w[...] = w[...] - g

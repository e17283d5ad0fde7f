# rule: with-refs-structure
import functools
import jax
import jax.numpy as jnp


def dropout_loss(rate, w, x):
    mask = jnp.arange(x.size) % 2
    return jnp.sum(w * x * mask / (1 - rate))


loss_fn = functools.partial(dropout_loss, 0.5)
w_bar, x_bar = (jax.new_ref(jnp.zeros(4)) for _ in range(2))
loss, pull = jax.vjp(loss_fn, jnp.ones(4), jnp.ones(4))
bound = pull.with_refs(jax.ad.DontWant(), w_bar, x_bar)  # <-- here
bound(1.0)

# rule: tainted-ref-write
import jax
import jax.numpy as jnp


def per_example(w, x, slot):
    margin = jnp.dot(w, x)
    slot[...] = margin  # <-- here
    return jax.nn.softplus(-margin)


slots = jax.new_ref(jnp.zeros(4))
grads = jax.vmap(jax.grad(per_example), in_axes=(None, 0, 0))(jnp.ones(2), jnp.ones((4, 2)), slots)

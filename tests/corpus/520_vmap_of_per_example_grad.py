# rule: grad-of-ref
import jax
import jax.numpy as jnp


def per_example_loss(w, x, y):
    return (jnp.dot(w[...], x) - y) ** 2


w = jax.new_ref(jnp.ones(3))
xs, ys = jnp.ones((5, 3)), jnp.zeros(5)
per_example_grads = jax.vmap(jax.grad(per_example_loss), in_axes=(None, 0, 0))
grads = per_example_grads(w, xs, ys)  # <-- here
norms = jnp.linalg.norm(grads, axis=1)

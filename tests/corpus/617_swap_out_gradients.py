# rule: none
import jax
import jax.numpy as jnp

theta = jax.new_ref(jnp.array([1.0, 2.0]))
theta_bar = jax.new_ref(jnp.zeros(2))


def take(ref):
    """Reads the accumulated gradient and leaves zeros behind."""
    return jax.ref.swap(ref, ..., jnp.zeros(ref.shape, ref.dtype))


for it in range(4):
    value, pull = jax.vjp(lambda t: jnp.sum(t[...] ** 2), theta)
    pull.with_refs(theta_bar)(jnp.ones_like(value))
    theta[...] -= 0.25 * take(theta_bar)
assert jnp.allclose(theta[...], jnp.array([1.0, 2.0]) * 0.5 ** 4)

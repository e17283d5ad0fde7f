# rule: none
import jax
import jax.numpy as jnp


def inner_gradient(x):
    """Gradient of x**3 by a bound pullback, itself differentiable."""
    slot = jax.new_ref(jnp.zeros_like(x))
    y, pull = jax.vjp(lambda v: jnp.sum(v ** 3), x)
    pull.with_refs(slot)(jnp.ones_like(y))
    return jnp.sum(jax.freeze(slot))


x = jnp.array([1.0, 2.0])
assert jnp.allclose(jax.grad(inner_gradient)(x), 6.0 * x)
print(jax.jit(jax.grad(inner_gradient))(x))

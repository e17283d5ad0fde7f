# rule: none
import jax
import jax.numpy as jnp


def gradient_wrt_contents(fn, *refs):
    """The refs' contents are the differentiated values, not the refs."""
    return jax.grad(lambda values: fn(*values))([r[...] for r in refs])


def energy(x, y):
    return jnp.sum(jnp.sin(x) * y)


x, y = jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.ones(2))
gx, gy = gradient_wrt_contents(energy, x, y)
x[...] -= 0.1 * gx
y[...] -= 0.1 * gy
print(x, y, jax.hessian(energy)(x[...], y[...]).shape)

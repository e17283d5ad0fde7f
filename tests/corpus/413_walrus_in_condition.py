# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def barrier(x, mu):
    return -mu * jnp.sum(jnp.log(x[...])) + jnp.sum(x[...])


def interior_point(x0, tol=1e-3):
    x = jax.new_ref(x0)
    mu = 1.0
    while mu > tol:
        if (out := jax.vjp(barrier, x, mu))[0] > 1e6:
            break
        g, _ = out[1](jnp.ones_like(out[0]))  # <-- here
        x[...] = jnp.maximum(x[...] - 0.1 * g, 1e-3)
        mu *= 0.5
    return x[...]


print(interior_point(jnp.array([0.5, 0.7])))

import jax
import jax.numpy as jnp

x = jnp.array([0.5, -1.5, 2.0])


def rate(k, x):
    return jnp.exp(-k["decay"][...] * x) * k["scale"][...]


def start():
    return {"decay": jax.new_ref(jnp.float32(0.7)), "scale": jax.new_ref(jnp.ones(3))}


def residuals(constants, x):
    out, back = jax.vjp(
        rate,
        constants,  # what is fitted
        x,
    )
    return out, back


out, back = residuals(start(), x)
(rows, _) = jax.vmap(back)(jnp.eye(3))

values = {"decay": jnp.float32(0.7), "scale": jnp.ones(3)}
# meant: rows == jax.jacrev(rate)(values, x)

# rule: cotangent-structure
import jax
import jax.numpy as jnp


def polar(z):
    return jnp.hypot(z[0], z[1]), jnp.arctan2(z[1], z[0])


outs, polar_vjp = jax.vjp(polar, jnp.array([1.0, 1.0]))
seeds = [jnp.ones_like(o) for o in outs]
(z_bar,) = polar_vjp(*seeds)  # <-- here

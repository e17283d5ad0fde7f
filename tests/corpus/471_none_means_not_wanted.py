# rule: with-refs-structure
import jax
import jax.numpy as jnp


def pinhole(focal, points):
    return focal * points[:, :2] / points[:, 2:]


focal_bar = jax.new_ref(jnp.zeros(()))
uv, back = jax.vjp(pinhole, jnp.float32(1.2), jnp.ones((4, 3)))
back.with_refs(focal_bar, None)(jnp.ones_like(uv))  # <-- here

# rule: with-refs-structure
from dataclasses import asdict, dataclass

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclass
class Camera:
    focal: jax.Array
    center: jax.Array


def project(camera, p):
    return camera.focal * p[:2] / p[2] + camera.center


camera = Camera(jnp.float32(1.1), jnp.zeros(2))
bars = {k: jax.new_ref(jnp.zeros_like(v)) for k, v in asdict(camera).items()}
uv, back = jax.vjp(project, camera, jnp.array([0.1, 0.2, 2.0]))
back.with_refs(bars, jax.ad.DontWant())(uv)  # <-- here

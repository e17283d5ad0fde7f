# rule: none
import jax
import jax.numpy as jnp


def pairwise(ref_points, points):
    """Distances to reference points: arrays, in spite of the name."""
    d = points[:, None] - ref_points[None]
    return jnp.sqrt((d ** 2).sum(-1) + 1e-6)


ref_points = jnp.array([[0.0, 0.0], [1.0, 0.0]])
points = jnp.array([[0.5, 0.5], [2.0, 1.0], [0.0, 1.0]])
dist, dist_vjp = jax.vjp(pairwise, ref_points, points)
ref_bar, points_bar = dist_vjp(jnp.ones_like(dist))
print((ref_bar + ref_points).shape, jax.vmap(dist_vjp)(jnp.stack([dist, dist]))[1].shape)

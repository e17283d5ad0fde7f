# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


@jax.jit
def render(pose, points):
    c, s = jnp.cos(pose[2]), jnp.sin(pose[2])
    rot = jnp.array([[c, -s], [s, c]])
    return points @ rot.T + jnp.stack([pose[0], pose[1]])


pose = jax.new_ref(jnp.array([0.1, -0.2, 0.3]))
landmarks = jnp.array([[0.0, 1.0], [1.0, 0.0], [1.0, 1.0]])
projected, render_vjp = jax.vjp(render, pose, landmarks)
backward = jax.jit(render_vjp)
residual = projected - jnp.ones((3, 2))
pose_bar, _ = backward(residual)  # <-- here
print(pose_bar)

import jax
import jax.numpy as jnp

w = jax.new_ref(jnp.zeros(2))
history = []
for x in jnp.array([[1.0, 2.0], [3.0, 4.0]]):
    loss, f_vjp = jax.vjp(lambda w: (w[...] @ x - 1.0) ** 2, w)
    (g,) = f_vjp(1.0)
    history.append(g)
    w[...] -= 0.1 * g
# meant: history[0] == jnp.array([-2.0, -4.0])
# meant: history[1] == 2.0 * (jnp.array([0.2, 0.4]) @ jnp.array([3.0, 4.0]) - 1.0) * jnp.array([3.0, 4.0])

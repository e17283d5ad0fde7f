import jax
import jax.numpy as jnp

angle = jax.new_ref(jnp.array([0.2, 0.4]))
out, back = jax.vjp(lambda a: jnp.sum(jnp.sin(a[...])), angle)
norm = jnp.linalg.norm(back(1.0)[0])
# meant: norm == jnp.linalg.norm(jnp.cos(jnp.array([0.2, 0.4])))

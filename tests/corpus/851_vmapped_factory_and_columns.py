# rule: none
import jax
import jax.numpy as jnp


def particle(x0, v0):
    return {"x": jax.new_ref(x0), "v": jax.new_ref(v0)}


swarm = jax.vmap(particle)(jnp.arange(4.0), jnp.ones(4))


def kick(p, force):
    p["v"][...] += 0.1 * force
    p["x"][...] += 0.1 * p["v"][...]
    return p["x"][...]


print(jax.vmap(kick)(swarm, jnp.arange(4.0)), swarm["v"])
grid = jax.new_ref(jnp.zeros((2, 3)))
jax.vmap(lambda column, v: column.addupdate(v), in_axes=(1, 0))(grid, jnp.ones((3, 2)))
print(grid)

# rule: none
import jax
import jax.numpy as jnp

wind = jax.new_ref(jnp.array([0.3, -0.1]))
swarm = jax.new_ref(jnp.zeros((5, 2)))


def move(agent, thrust):
    agent[...] += 0.1 * (thrust + wind[...])


jax.vmap(move)(swarm, jnp.ones((5, 2)))
wind[...] = jnp.zeros(2)
jax.vmap(move, in_axes=(0, None))(swarm, jnp.array([1.0, 0.0]))
wind[...] += swarm[...].mean(axis=0)
print(swarm, wind)

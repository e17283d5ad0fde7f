# rule: none
import functools

import jax
import jax.numpy as jnp


@functools.partial(jax.vmap, in_axes=({"q": 0, "n": 0}, 0, 0))
def bandit_update(agent, arm, reward):
    agent["n"][arm] += 1
    agent["q"][arm] += (reward - agent["q"][arm]) / agent["n"][arm]
    return jnp.argmax(agent["q"][...])


agents = {"q": jax.new_ref(jnp.zeros((3, 4))), "n": jax.new_ref(jnp.zeros((3, 4), jnp.int32))}
for t in range(2):
    greedy = bandit_update(agents, jnp.array([0, 1, 2]), jnp.ones(3) * t)
print(greedy, agents["q"])

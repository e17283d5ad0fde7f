# rule: ref-alias-copy (silent)
import jax
import jax.numpy as jnp


class DQN:
    def __init__(self, n):
        self.online = jax.new_ref(jnp.zeros(n))
        self.target = self.online  # <-- here

    def learn(self, delta):
        self.online[...] += delta
        return jnp.abs(self.online[...] - self.target[...]).sum()


agent = DQN(3)
assert agent.learn(1.0) == 0.0

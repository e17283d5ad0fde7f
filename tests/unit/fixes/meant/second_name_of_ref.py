import jax as j
import jax.numpy as jnp


class Agent:
    def __init__(self, n):
        self.online = j.new_ref(jnp.zeros(n))
        self.target, self.steps = self.online, 0  # lags behind

    def learn(self, delta):
        self.online[...] += delta
        return jnp.abs(self.online[...] - self.target[...]).sum()


agent = Agent(3)
distance = agent.learn(1.0)
# meant by Make a ref of its own: distance == 3.0

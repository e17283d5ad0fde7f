# rule: vmap-closes-over-ref
import jax
import jax.numpy as jnp


class Env:
    """A batch of environments that share a step counter by mistake."""

    def __init__(self, n):
        self.pos = jax.new_ref(jnp.zeros(n))
        self.steps = jax.new_ref(jnp.int32(0))

    def _step(self, pos, action):
        pos[...] = jnp.clip(pos[...] + action, -1.0, 1.0)
        self.steps[...] += 1  # <-- here
        return pos[...], -jnp.abs(pos[...])

    def step(self, actions):
        return jax.vmap(self._step)(self.pos, actions)


env = Env(4)
obs, reward = env.step(jnp.linspace(-0.5, 0.5, 4))

# rule: ref-aliased
import jax
import jax.numpy as jnp
from functools import partial


@partial(jax.jit, static_argnames=("alpha",))
def blend(target, *, online, alpha=0.01):
    target[...] = (1 - alpha) * target[...] + alpha * online[...]


class Agent:
    def __init__(self, n):
        self.online = jax.new_ref(jnp.ones(n))
        self.target = self.online

    def sync(self):
        blend(self.target, online=self.online, alpha=0.1)  # <-- here


Agent(2).sync()

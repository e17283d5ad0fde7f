# rule: tainted-ref-write
import jax
import jax.numpy as jnp


class EMA:
    def __init__(self, params, decay):
        self.decay = decay
        self.shadow = jax.tree.map(jax.new_ref, params)

    def update(self, params):
        for name, ref in self.shadow.items():
            ref[...] = self.decay * ref[...] + (1 - self.decay) * params[name]  # <-- here


ema = EMA({"w": jnp.ones(2), "b": jnp.zeros(())}, 0.9)


def loss(params, x):
    ema.update(params)
    return jnp.mean((x @ params["w"] + params["b"]) ** 2)


jax.value_and_grad(loss)({"w": jnp.ones(2), "b": jnp.float32(0.0)}, jnp.ones((3, 2)))

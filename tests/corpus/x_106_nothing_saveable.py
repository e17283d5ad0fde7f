# rule: unrestored-residuals
import jax
import jax.numpy as jnp

SAVE = {"weights": False, "inputs": False}


def bilinear(u, v):
    return u * v * jnp.float32(3.0)


class Stage:
    def __init__(self, u):
        self.u = u

    def forward(self, v):
        out, self.pull = jax.vjp(bilinear, self.u, v, saveable_args=tuple(SAVE.values()))
        return out

    def backward(self, ct):
        return self.pull(ct)[1]  # <-- here


stage = Stage(jnp.float32(2.0))
stage.backward(stage.forward(jnp.float32(5.0)))

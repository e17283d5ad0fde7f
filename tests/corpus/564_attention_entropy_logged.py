# rule: tainted-ref-write
import jax
import jax.numpy as jnp


class Attention:
    def __init__(self, dim):
        self.entropy = jax.new_ref(jnp.zeros(()))
        self.scale = dim ** -0.5

    def __call__(self, q, k, v):
        p = jax.nn.softmax(q @ k.T * self.scale)
        ent = -jnp.sum(p * jnp.log(p + 1e-9), axis=-1)
        self.entropy[...] = ent.mean()  # <-- here
        return p @ v


att = Attention(2)
x = jnp.arange(6.0).reshape(3, 2)
att(x, x, x)
out, pull = jax.vjp(lambda q: att(q, x, x).sum(), x)

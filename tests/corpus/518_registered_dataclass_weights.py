# rule: unbound-ref-gradient
import dataclasses
import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass(frozen=True)
class Weights:
    qkv: jax.Ref
    proj: jax.Ref

    @staticmethod
    def init(d):
        return Weights(qkv=jax.new_ref(jnp.ones((d, 3 * d)) / d), proj=jax.new_ref(jnp.eye(d)))


def attend(w: Weights, x):
    q, k, v = jnp.split(x @ w.qkv[...], 3, axis=-1)
    a = jax.nn.softmax(q @ k.T / jnp.sqrt(q.shape[-1]))
    return (a @ v) @ w.proj[...]


w = Weights.init(2)
y, attend_vjp = jax.vjp(attend, w, jnp.eye(2))
w_bar, x_bar = attend_vjp(jnp.ones_like(y))  # <-- here
jax.tree.map(lambda r, g: r.addupdate(-g), w, w_bar)

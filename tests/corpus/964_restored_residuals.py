# rule: none
import jax
import jax.numpy as jnp


class Offloaded:
    """The weight is dropped after the forward pass and put back before the backward pass."""

    def __init__(self, w):
        self.host = w

    def forward(self, x):
        y, self.pull = jax.vjp(lambda w, x: jnp.tanh(x @ w), self.host, x, saveable_args=(False, True))
        return y

    def backward(self, ct):
        restored = self.pull.replace(args_res=[self.host, self.pull.args_res[1]])
        slot = jax.new_ref(jnp.zeros_like(self.host))
        _, x_bar = restored.with_refs(slot, jax.ad.GradValue())(ct)
        return jax.freeze(slot), x_bar


layer = Offloaded(jnp.eye(2))
y = layer.forward(jnp.ones((3, 2)))
print(layer.backward(jnp.ones_like(y)))

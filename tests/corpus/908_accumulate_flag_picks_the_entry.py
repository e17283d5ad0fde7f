# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp


class Layer:
    def __init__(self, n_in, n_out):
        self.kernel = jax.new_ref(jnp.ones((n_in, n_out)))
        self.kernel_bar = jax.new_ref(jnp.zeros((n_in, n_out)))

    def forward(self, x):
        y, self.pull = jax.vjp(lambda k, x: jnp.tanh(x @ k[...]), self.kernel, x)
        return y

    def backward(self, ct, accumulate):
        slot = self.kernel_bar if accumulate else jax.ad.GradValue()
        k_bar, x_bar = self.pull.with_refs(slot, jax.ad.GradValue())(ct)  # <-- here
        return (None if accumulate else k_bar), x_bar


layer = Layer(2, 3)
y = layer.forward(jnp.ones(2))
layer.backward(jnp.ones_like(y), True)
layer.backward(jnp.ones_like(y), False)

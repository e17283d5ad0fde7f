# rule: unrestored-residuals
import jax
import jax.numpy as jnp


class OffloadedLayer:
    """Weights go back to the host between forward and backward."""

    def __init__(self, host_weights):
        self.host = host_weights

    def forward(self, x):
        w = jax.device_put(self.host)
        y, self.back = jax.vjp(lambda w, x: x @ w, w, x, saveable_args=(False, True))
        return y

    def backward(self, ct):
        return self.back(ct)  # <-- here


layer = OffloadedLayer(jnp.ones((2, 2)))
layer.backward(layer.forward(jnp.ones((3, 2))))

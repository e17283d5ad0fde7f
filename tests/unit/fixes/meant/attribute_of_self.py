import jax
import jax.numpy as jnp


class Stage:
    def __init__(self):
        self.kernel = jax.new_ref(jnp.eye(2) * 0.5)

    def forward(self, x):
        y, self.pullback = jax.vjp(lambda k, v: jnp.sum((k[...] @ v) ** 2), self.kernel, x)
        return y

    def backward(self, ct):
        kernel_bar, x_bar = self.pullback(ct)
        return kernel_bar, x_bar


stage = Stage()
stage.forward(jnp.array([1.0, 2.0]))
kernel_bar, x_bar = stage.backward(1.0)
# meant: kernel_bar == jax.grad(lambda k: jnp.sum((k @ jnp.array([1.0, 2.0])) ** 2))(jnp.eye(2) * 0.5)
# meant: x_bar == jnp.array([0.5, 1.0])

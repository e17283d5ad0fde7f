# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Epochs:
    def __init__(self, theta, n):
        self.theta, self.left = theta, n

    def __iter__(self):
        return self

    def __next__(self):
        if self.left == 0:
            raise StopIteration
        self.left -= 1
        loss, f_vjp = jax.vjp(lambda t: jnp.sum(jnp.cosh(t[...])), self.theta)
        g = f_vjp(jnp.ones_like(loss))[0]  # <-- here
        self.theta[...] -= 0.2 * g
        return float(loss)


losses = list(Epochs(jax.new_ref(jnp.array([1.0, -0.5])), 5))

# rule: none
import jax
import jax.numpy as jnp


class BatchNorm:
    def __init__(self, dim):
        self.mean, self.var = jax.new_ref(jnp.zeros(dim)), jax.new_ref(jnp.ones(dim))
        self.training = True

    def __call__(self, x):
        if self.training:
            mean, var = x.mean(0), x.var(0)
            self._update(jax.lax.stop_gradient(mean), jax.lax.stop_gradient(var))
        else:
            mean, var = self.mean[...], self.var[...]
        return (x - mean) / jnp.sqrt(var + 1e-5)

    def _update(self, mean, var, momentum=0.9):
        for ref, new in ((self.mean, mean), (self.var, var)):
            ref[...] = momentum * ref[...] + (1 - momentum) * new


bn = BatchNorm(2)
x = jnp.arange(8.0).reshape(4, 2)
grads = jax.grad(lambda w: jnp.sum(bn(x * w) ** 3))(jnp.ones(2))
value, pull = jax.vjp(lambda w: bn(x * w).sum(), jnp.ones(2))
pull(jnp.ones_like(value))
bn.training = False
print(grads, bn(x), bn.mean, jax.grad(lambda w: jnp.sum(bn(x * w) ** 3))(jnp.ones(2)))

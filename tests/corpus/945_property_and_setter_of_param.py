# rule: none
import jax
import jax.numpy as jnp


class Param:
    __slots__ = ("_value", "_grad")

    def __init__(self, value):
        self._value = jax.new_ref(jnp.asarray(value))
        self._grad = None

    @property
    def data(self):
        return self._value[...]

    @data.setter
    def data(self, new):
        self._value[...] = new

    @property
    def grad(self):
        if self._grad is None:
            self._grad = jax.new_ref(jnp.zeros_like(self._value))
        return self._grad

    def zero_grad(self):
        self._grad = None


def backward(fn, *params):
    out, pull = jax.vjp(fn, *(p.data for p in params))
    pull.with_refs(*(p.grad for p in params))(jnp.ones_like(out))
    return out


a, b = Param(jnp.ones(2)), Param(jnp.arange(2.0))
for _ in range(2):
    backward(lambda a, b: jnp.sum(a * jnp.exp(b)), a, b)
    for p in (a, b):
        p.data = p.data - 0.1 * p.grad[...]
        p.zero_grad()
print(a.data + b.data, a.data @ b.data)

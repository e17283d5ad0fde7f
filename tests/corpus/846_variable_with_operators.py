# rule: none
import jax
import jax.numpy as jnp


class Variable:
    """Arithmetic on it is fine: each operator reads the ref."""

    def __init__(self, value):
        self._ref = jax.new_ref(jnp.asarray(value))

    @property
    def value(self):
        return self._ref[...]

    @value.setter
    def value(self, new):
        self._ref[...] = new

    def __jax_array__(self):
        return self._ref[...]

    def __add__(self, other):
        return self.value + other

    def __mul__(self, other):
        return self.value * other

    def __matmul__(self, other):
        return self.value @ other

    __radd__, __rmul__ = __add__, __mul__


w = Variable(jnp.ones(3))
w.value = w.value * 2.0 + 1.0
print(w + 1.0, 2.0 * w, w @ jnp.ones(3), jnp.sin(w.value))

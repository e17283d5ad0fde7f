# rule: unbound-ref-gradient
import abc

import jax
import jax.numpy as jnp


class Module(abc.ABC):
    @abc.abstractmethod
    def apply(self, params, x): ...

    def __call__(self, x):
        out, self._vjp = jax.vjp(self.apply, self.params, x)
        return out

    def backward(self, ct):
        param_bars, x_bar = self._vjp(ct)  # <-- here
        return param_bars, x_bar


class Dense(Module):
    def __init__(self, n_in, n_out):
        self.params = {
            "kernel": jax.new_ref(jnp.ones((n_in, n_out))),
            "bias": jax.new_ref(jnp.zeros(n_out)),
        }

    def apply(self, params, x):
        return x @ params["kernel"][...] + params["bias"][...]


class Scale(Module):
    params = jnp.float32(2.0)

    def apply(self, params, x):
        return params * x


scale, dense = Scale(), Dense(2, 3)
y = dense(scale(jnp.ones((4, 2))))
scale.backward(dense.backward(jnp.ones_like(y))[1])

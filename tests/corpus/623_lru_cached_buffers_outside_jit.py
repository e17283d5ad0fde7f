# rule: none
import functools
import jax
import jax.numpy as jnp


@functools.lru_cache(maxsize=None)
def buffer(n):
    return jax.new_ref(jnp.zeros(n))


class Lazy:
    _ref = None

    @property
    def ref(self):
        if self._ref is None:
            self._ref = jax.new_ref(jnp.zeros(2))
        return self._ref


lazy = Lazy()
lazy.ref[...] += 1.0  # allocated here, not under jit


@jax.jit
def step(x):
    lazy.ref[...] += x
    return lazy.ref[...]


buf = buffer(4)
jax.jit(lambda b, x: b.addupdate(x))(buffer(4), jnp.ones(4))
assert buffer(4) is buf
print(step(1.0), lazy.ref[...] + buf[:2])

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Filter:
    __slots__ = ("taps", "__dict__")

    def __init__(self, n):
        self.taps = jax.new_ref(jnp.ones(n) / n)


def response(taps, signal):
    return jnp.convolve(signal, taps[...], mode="valid")


filt = Filter(3)
for attr in Filter.__slots__[:1]:
    primal = getattr(filt, attr)
    out, pull = jax.vjp(response, primal, jnp.arange(6.0))
    bar = pull(out - 1.0)  # <-- here
    primal[...] -= 0.01 * bar[0]

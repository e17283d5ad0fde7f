# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

try:
    from jax.ref import new_ref as make_mutable
except ImportError:
    try:
        from jax import array_ref as make_mutable
    except ImportError:
        from jax.experimental import mutable_array as make_mutable


def spectrum_error(window, signal):
    spec = jnp.abs(jnp.fft.rfft(signal * window[...]))
    return spec[2:].sum() / spec.sum()


signal = jnp.sin(jnp.arange(16) * 0.7)
window = make_mutable(jnp.hanning(16))
leak, back = jax.vjp(spectrum_error, window, signal)
window_bar = back(jnp.ones(()))[0]  # <-- here
print(leak, window_bar.shape)

# rule: ref-at-method
import jax
import jax.numpy as jnp


@jax.jit
def update_peak(peaks, channel, level):
    view = peaks.at[channel]
    view.max(level)  # <-- here
    return peaks[...]


update_peak(jax.new_ref(jnp.zeros(3)), 1, 0.7)

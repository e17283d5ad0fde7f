# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def power(amplitudes):
    field = jnp.fft.ifft(amplitudes)
    return jnp.sum(jnp.abs(field) ** 2)


amplitudes = jnp.ones(4, jnp.complex64)
amp_bar = jax.new_ref(jnp.zeros(amplitudes.shape))
p, power_vjp = jax.vjp(power, amplitudes)
power_vjp.with_refs(amp_bar)(jnp.ones_like(p))  # <-- here

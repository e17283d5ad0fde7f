# rule: ref-as-array
import jax
import jax.numpy as jnp
import numpy as np

power = jax.new_ref(jnp.float32(1.0))
for burst in (0.5, 2.0):
    power[...] += burst ** 2
decibel = 10 * np.log10(power)  # <-- here
print(decibel)

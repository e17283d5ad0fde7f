# rule: freeze-in-other-scope
import jax
import jax.numpy as jnp


@jax.jit
def average(acc, n):
    return jax.freeze(acc) / n  # <-- cause


acc = jax.new_ref(jnp.zeros(2))
acc[...] += 4.0
print(average(acc, 2.0))  # <-- here

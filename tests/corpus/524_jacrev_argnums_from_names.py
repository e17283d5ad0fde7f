# rule: grad-of-ref
import inspect

import jax
import jax.numpy as jnp


def reaction(k1, k2, conc):
    return jnp.stack([-k1[...] * conc[0], k1[...] * conc[0] - k2 * conc[1]])


names = list(inspect.signature(reaction).parameters)
sens = jax.jacrev(reaction, argnums=(0, 2))
print(sens(jax.new_ref(0.3), 0.1, jnp.array([1.0, 0.0])))  # <-- here

# rule: unbound-ref-gradient
from functools import partial

import jax
import jax.numpy as jnp

damping = jax.new_ref(0.1)
vjp_wrt_damping = partial(jax.vjp, lambda c, v: -c[...] * v, damping)


def power(v):
    force, back = vjp_wrt_damping(v)
    c_bar, v_bar = back(v)  # <-- here
    return force * v, c_bar, v_bar


print(power(jnp.float32(2.0)))

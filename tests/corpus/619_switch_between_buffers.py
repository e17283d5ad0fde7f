# rule: ref-returned
import jax
import jax.numpy as jnp
from jax import lax

buffers = [jax.new_ref(jnp.full(2, float(i))) for i in range(3)]
pickers = [lambda a, b, c: a, lambda a, b, c: b, lambda a, b, c: c]  # <-- cause


def pick(i):
    return lax.switch(i, pickers, *buffers)  # <-- here


pick(1)[...] = jnp.zeros(2)

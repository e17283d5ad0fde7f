# rule: none
import itertools

import jax
import jax.numpy as jnp

primals = (jnp.ones(2), jnp.zeros(2), jnp.float32(0.5))
slots = [jax.new_ref(jnp.zeros(2))]
entries = tuple(
    slot if slot is not None else jax.ad.DontWant()
    for _, slot in itertools.zip_longest(primals, slots)
)


def mix(a, b, t):
    return jnp.sum((1 - t) * a + t * b)


y, pull = jax.vjp(mix, *primals)
first, *rest = pull.with_refs(*entries)(jnp.ones_like(y))
second = pull.with_refs(*slots, *[jax.ad.GradValue()] * 2)(jnp.ones_like(y))[1:]
print(slots[0], second)

# rule: none
import itertools

import jax
import jax.numpy as jnp


def backward(tape, ct):
    for pull, entries in reversed(tape):
        *_, ct = pull.with_refs(*entries)(ct)
    return ct


amps = [jax.new_ref(jnp.float32(a)) for a in (0.5, 1.5)]
bars = [jax.new_ref(jnp.float32(0.0)) for _ in amps]
tape, x = [], jnp.linspace(0.0, 1.0, 3)
for amp, bar, fn in zip(amps, bars, itertools.cycle([jnp.sin, jnp.cos])):
    x, pull = jax.vjp(lambda a, v, fn=fn: a[...] * fn(v), amp, x)
    tape.append((pull, (bar, jax.ad.GradValue())))
print(backward(tape, jnp.ones_like(x)), [b[...] for b in bars])

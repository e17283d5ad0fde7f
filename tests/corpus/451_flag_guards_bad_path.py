# rule: none
import jax
import jax.numpy as jnp

USE_REFS = False


def make(value):
    return jax.new_ref(value) if USE_REFS else value


def read(p):
    return p[...] if USE_REFS else p


w = make(jnp.ones(3))
loss, back = jax.vjp(lambda w, x: jnp.vdot(read(w), x), w, jnp.arange(3.0))
if USE_REFS:
    acc = jax.new_ref(jnp.zeros(3))
    back.with_refs(acc, jax.ad.DontWant())(1.0)
    w[...] -= acc[...]
else:
    w = w - back(1.0)[0]
print(w)

# rule: with-refs-structure
# also: ref-truthiness
import jax
import jax.numpy as jnp


def with_optional_grads(fn, primals, wanted):
    refs = tuple(jax.new_ref(jnp.zeros_like(p)) if w else None for p, w in zip(primals, wanted))
    out, back = jax.vjp(fn, *primals)
    back.with_refs(*refs)(jnp.ones_like(out))  # <-- here
    return [r and r[...] for r in refs]


def wave(k, w, t):
    return jnp.cos(k - w * t)


with_optional_grads(wave, (jnp.float32(1.0), jnp.float32(2.0), jnp.float32(0.1)), (True, True, False))

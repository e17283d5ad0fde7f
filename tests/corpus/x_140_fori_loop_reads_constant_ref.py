# rule: dont-want-ref-in-scan
import functools
import jax
import jax.numpy as jnp


def decay(rate, amount, n):
    return jax.lax.fori_loop(0, n, lambda i, a: a * (1.0 - rate[...]), amount)  # <-- cause


rate = jax.new_ref(jnp.float32(0.1))
left, pull = jax.vjp(functools.partial(decay, n=5), rate, jnp.float32(100.0))
grads = pull.with_refs(jax.ad.DontWant(), jax.ad.GradValue())(jnp.ones_like(left))  # <-- here

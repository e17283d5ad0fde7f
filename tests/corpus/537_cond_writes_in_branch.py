# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def clipped(x, hits):
    over = jnp.abs(x) > 1.0

    def record(x):
        hits[...] = hits[...] + 1.0  # <-- cause
        return jnp.sign(x)

    return jax.lax.cond(over, record, lambda x: x, x)


hits = jax.new_ref(jnp.float32(0.0))
y, pull = jax.vjp(clipped, jnp.float32(2.0), hits)
pull.with_refs(jax.ad.GradValue(), jax.ad.DontWant())(1.0)  # <-- here

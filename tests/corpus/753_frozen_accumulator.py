# rule: array-as-gradient-ref (silent)
import jax
import jax.numpy as jnp


def epoch(w, batches, acc=None):
    acc = jnp.zeros_like(w) if acc is None else acc
    slot = jax.freeze(jax.new_ref(acc))
    for x in batches:
        out, back = jax.vjp(lambda w: jnp.vdot(w, x), w)
        back.with_refs(slot)(jnp.ones_like(out))  # <-- here
    return slot


g = epoch(jnp.ones(2), jnp.ones((4, 2)))
print(g)
assert not g.any()

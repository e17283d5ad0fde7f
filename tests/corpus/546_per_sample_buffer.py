# rule: gradient-ref-type
import jax
import jax.numpy as jnp


@jax.jit
def per_sample(w, xs):
    rows = jax.new_ref(jnp.zeros((xs.shape[0],) + w.shape))
    for x in xs:
        y, back = jax.vjp(lambda w: jnp.dot(w, x) ** 2, w)
        back.with_refs(rows)(jnp.ones_like(y))  # <-- here
    return jax.freeze(rows)


per_sample(jnp.ones(3), jnp.ones((4, 3)))

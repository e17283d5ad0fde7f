# rule: none
import jax
import jax.numpy as jnp


def per_term_gradients(terms, w):
    value, back = jax.vjp(lambda w: [t(w) for t in terms], w)
    slots = []
    for i in range(len(terms)):
        slot = jax.new_ref(jnp.zeros_like(w))
        bound = back.with_refs(slot)
        bound([jnp.float32(i == j) for j in range(len(terms))])
        slots.append(slot)
    return [jax.freeze(s) for s in slots]


print(per_term_gradients([jnp.sum, lambda w: jnp.sum(w ** 3)], jnp.ones(2)))

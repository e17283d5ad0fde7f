# rule: use-after-freeze
import jax
import jax.numpy as jnp


@jax.jit
def grads_and_norm(params, batches):
    acc = {k: jax.new_ref(jnp.zeros_like(p)) for k, p in params.items()}
    for x in batches:
        loss, back = jax.vjp(lambda p: jnp.sum((p["w"] * x + p["b"]) ** 2), params)
        back.with_refs(acc)(jnp.ones_like(loss))
    grads = jax.tree.map(jax.freeze, acc)
    norm = sum(jnp.sum(r[...] ** 2) for r in acc.values())  # <-- cause
    return grads, norm


grads_and_norm({"w": jnp.ones(2), "b": jnp.zeros(2)}, jnp.ones((3, 2)))  # <-- here

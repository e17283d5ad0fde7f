# rule: unapplied-with-refs (silent)
import jax
import jax.numpy as jnp


@jax.jit
def gradients(params, x):
    acc = {k: jax.new_ref(jnp.zeros_like(p)) for k, p in params.items()}
    loss, back = jax.vjp(lambda p: jnp.mean((p["w"] * x + p["b"]) ** 2), params)
    back.with_refs(acc)  # <-- here
    return loss, {k: jax.freeze(r) for k, r in acc.items()}


loss, grads = gradients({"w": jnp.ones(3), "b": jnp.zeros(3)}, jnp.arange(3.0))
assert loss > 0 and not grads["w"].any()

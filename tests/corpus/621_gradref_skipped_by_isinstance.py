# rule: none
import jax
import jax.numpy as jnp


def materialize(returned, refs):
    """Where JAX returned a placeholder, read the ref; else take the value."""
    return [r[...] if isinstance(g, (jax.ad.GradRef, jax.ad.DidntWant)) else g
            for g, r in zip(returned, refs)]


primals = jnp.ones(2), jnp.float32(3.0)
acc = jax.new_ref(jnp.zeros(2))
out, pull = jax.vjp(lambda v, s: s * jnp.sum(v ** 2), *primals)
returned = pull.with_refs(acc, jax.ad.GradValue())(jnp.ones_like(out))
grads = materialize(returned, (acc, None))
print([p - 0.1 * g for p, g in zip(primals, grads)])

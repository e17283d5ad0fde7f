# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def inner_adapt(w, x, steps=2):
    """MAML: the inner loop works on plain arrays ..."""
    fast = w[...]
    for _ in range(steps):
        val, back = jax.vjp(lambda v: jnp.sum((v - x) ** 2), fast)
        (g,) = back(jnp.ones_like(val))
        fast = fast - 0.1 * g
    return jnp.sum((fast - x) ** 2)


meta = jax.new_ref(jnp.zeros(3))
val, back = jax.vjp(inner_adapt, meta, jnp.arange(3.0))
meta_grad, _ = back(jnp.ones_like(val))  # <-- here
meta[...] -= meta_grad

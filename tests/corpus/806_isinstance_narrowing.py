# rule: none
import jax
import jax.numpy as jnp


def as_ref(x):
    return x if isinstance(x, jax.ref.Ref) else jax.new_ref(x)


def as_value(x):
    if isinstance(x, jax.Ref):
        return x[...]
    return jnp.asarray(x)


def scale(x, factor):
    if not isinstance(x, jax.Ref):
        return x * factor
    x[...] = x[...] * factor
    return x


tensors = [jnp.ones(2), jax.new_ref(jnp.ones(2)), 3.0]
print([as_value(scale(t, 2.0)) for t in tensors])
again = as_ref(as_ref(jnp.zeros(2)))
again[0] = 1.0
print(sum(as_value(t).sum() for t in tensors) + as_value(again).sum())

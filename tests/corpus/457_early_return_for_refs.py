# rule: none
import jax
import jax.numpy as jnp


def to_array(x):
    if isinstance(x, jax.Ref):
        return x[...]
    return jnp.asarray(x)


def norm(x):
    if not isinstance(x, jax.Ref):
        return jnp.linalg.norm(x)
    return norm(to_array(x))


def update(x, g):
    if hasattr(x, "addupdate"):
        x.addupdate(-g)
        return x
    return x - g


r = jax.new_ref(jnp.array([3.0, 4.0]))
print(norm(r), norm(jnp.array([3.0, 4.0])))
r = update(r, jnp.ones(2))
a = update(to_array(r), jnp.ones(2)) * 2.0

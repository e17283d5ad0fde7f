# rule: none
import jax
import jax.numpy as jnp


def per_example_gradients(w, xs):
    """Each example has its own row of gradients: batched along the first axis."""
    rows = jax.new_ref(jnp.zeros((xs.shape[0], *w.shape)))

    def one(x, row):
        value, pull = jax.vjp(lambda w: jnp.tanh(jnp.vdot(w, x)), w)
        pull.with_refs(row)(jnp.ones_like(value))
        return value

    values = jax.vmap(one)(xs, rows)
    return values, jax.freeze(rows)


values, rows = per_example_gradients(jnp.ones(2), jnp.arange(6.0).reshape(3, 2))
print(values, rows.shape, jax.jit(per_example_gradients)(jnp.ones(2), jnp.ones((2, 2)))[1])

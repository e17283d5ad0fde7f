# rule: none
import jax
import jax.numpy as jnp


def unrolled_cumulative(x):
    """A local ref may hold differentiated values: it is made inside."""
    out = jax.new_ref(jnp.zeros_like(x))
    state = jax.new_ref(jnp.zeros((), x.dtype))
    for i in range(x.shape[0]):
        state[...] = 0.8 * state[...] + x[i]
        out[i] = state[...]
    return jnp.sum(out[...] ** 2)


x = jnp.arange(4.0)
print(jax.grad(unrolled_cumulative)(x))
print(jax.value_and_grad(jax.jit(unrolled_cumulative))(x))
value, back = jax.vjp(unrolled_cumulative, x)
print(back(1.0))

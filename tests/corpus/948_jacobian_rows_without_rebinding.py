# rule: none
import jax
import jax.numpy as jnp


def jacobian(fn, x, out_dtype=jnp.float32):
    y, pull = jax.vjp(fn, x)
    rows = jax.new_ref(jnp.zeros((y.size, x.size), out_dtype))
    for i, ct in enumerate(jnp.eye(y.size)):
        (row,) = pull(ct)
        rows[i] = row
    by_vmap = jax.vmap(pull)(jnp.eye(y.size))[0]
    return jax.freeze(rows), by_vmap


J, V = jacobian(lambda x: jnp.stack([x[0] * x[1], jnp.sin(x[0])]), jnp.array([0.5, 2.0]))
assert jnp.allclose(J, V)

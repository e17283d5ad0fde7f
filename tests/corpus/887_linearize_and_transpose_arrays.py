# rule: none
import jax
import jax.numpy as jnp

scale = jax.new_ref(jnp.float32(3.0))


def model(x):
    return jnp.sin(x) * scale[...]


y, f_lin = jax.linearize(model, jnp.ones(2))
f_t = jax.linear_transpose(f_lin, jnp.ones(2))
y2, tangent = jax.jvp(model, (jnp.ones(2),), (jnp.ones(2),))
y3, back = jax.vjp(model, jnp.ones(2))
assert jnp.allclose(f_t(jnp.ones(2))[0], back(jnp.ones(2))[0])
print(f_lin(jnp.ones(2)) - tangent, jax.jacrev(model)(jnp.ones(2)), jax.vmap(back)(jnp.eye(2)))

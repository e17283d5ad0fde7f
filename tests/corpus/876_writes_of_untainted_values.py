# rule: none
import jax
import jax.numpy as jnp

chosen = jax.new_ref(jnp.zeros((), jnp.int32))
signs = jax.new_ref(jnp.zeros(3))
levels = jax.new_ref(jnp.zeros(3))


def loss(w, x):
    chosen[...] = jnp.argmax(w).astype(jnp.int32)
    signs[...] = jnp.sign(w)
    levels[...] = jax.lax.stop_gradient(jnp.round(w * 4) / 4) + (w > 0)
    noise = jax.random.normal(jax.random.key(1), x.shape)
    return jnp.sum((w * (x + noise)) ** 2)


print(jax.grad(loss)(jnp.array([0.3, -1.0, 2.0]), jnp.ones(3)), chosen, signs, levels)

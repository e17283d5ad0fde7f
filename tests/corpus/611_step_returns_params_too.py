# rule: ref-returned
import jax
import jax.numpy as jnp


@jax.jit
def train_step(params, x):
    grads = jax.grad(lambda w: jnp.mean((x @ w) ** 2))(params["w"][...])
    params["w"][...] -= 0.1 * grads
    loss = jnp.mean((x @ params["w"][...]) ** 2)
    return params, loss  # <-- cause


params = {"w": jax.new_ref(jnp.ones(3))}
for _ in range(2):
    params, loss = train_step(params, jnp.ones((4, 3)))  # <-- here

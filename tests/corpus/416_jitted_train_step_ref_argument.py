# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


@jax.jit
def train_step(params, batch):
    def objective(theta):
        h = jnp.maximum(batch @ theta["enc"][...], 0.0)
        rec = h @ theta["dec"][...]
        return jnp.mean((rec - batch) ** 2)

    loss, f_vjp = jax.vjp(objective, params)
    grads = f_vjp(jnp.ones((), loss.dtype))[0]  # <-- here
    for k in params:
        params[k][...] -= 0.1 * grads[k]
    return loss


refs = jax.tree.map(jax.new_ref, {"enc": jnp.ones((4, 2)), "dec": jnp.ones((2, 4))})
print(train_step(refs, jnp.ones((8, 4))))

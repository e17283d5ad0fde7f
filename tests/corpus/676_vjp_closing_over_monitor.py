# rule: tainted-ref-write
import jax
import jax.numpy as jnp

grad_input_norm = jax.new_ref(jnp.float32(0))


def make_loss(monitor):
    def loss(w, x):
        pred = x @ w
        monitor[...] = jnp.linalg.norm(pred)  # <-- here
        return jnp.mean(jnp.abs(pred))

    return loss


value, back = jax.vjp(make_loss(grad_input_norm), jnp.ones(2), jnp.ones((3, 2)))
back(jnp.ones_like(value))

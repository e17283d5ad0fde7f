# rule: grad-of-ref
import jax
import jax.numpy as jnp


def schedule_loss(step, w):
    return w ** 2 / (1 + step[...])


step = jax.new_ref(jnp.int32(0))
w = jnp.float32(1.0)
grad_fn = jax.grad(schedule_loss)  # meant argnums=1
w = w - 0.1 * grad_fn(step, w)  # <-- here

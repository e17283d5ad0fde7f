# rule: tainted-ref-write
import jax
import jax.numpy as jnp


@jax.jit
def train_step(w, ref_out, x):
    def loss(w):
        out = x @ w
        ref_out[...] = out  # <-- here
        return jnp.mean(out ** 2)

    return w - 0.1 * jax.grad(loss)(w)


train_step(jnp.ones(2), jax.new_ref(jnp.zeros(3)), jnp.ones((3, 2)))

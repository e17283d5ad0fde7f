# rule: tainted-ref-write
import jax
import jax.numpy as jnp

load = jax.new_ref(jnp.zeros(4))


def route(logits):
    probs = jax.nn.softmax(logits)
    load.addupdate(probs)  # <-- here
    return probs.max()


jax.grad(route)(jnp.arange(4.0))

# rule: ref-in-debug-print
import jax
import jax.numpy as jnp


def train(w, steps):
    for step in range(steps):
        w[...] = 0.9 * w[...]
        if step % 2 == 0:
            jax.debug.print("step {s}: {w}", s=step, w=w)  # <-- here


train(jax.new_ref(jnp.ones(2)), 3)

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def load(trainable):
    table = jnp.arange(8.0).reshape(4, 2)
    if trainable:
        table = jax.new_ref(table)
    return table


def score(table, i, j):
    return jnp.vdot(table[i], table[j])


table = load(trainable=True)
s, back = jax.vjp(lambda t: score(t, 0, 3), table)
grad = back(jnp.float32(1.0))  # <-- here

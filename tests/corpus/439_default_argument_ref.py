# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

GLOBAL_BIAS = jax.new_ref(jnp.zeros(2))


def logits(x, bias):
    return x @ jnp.array([[1.0, -1.0], [0.5, 0.5]]) + bias[...]


def saliency(x, label=0, bias=GLOBAL_BIAS):
    out, back = jax.vjp(logits, x, bias)
    onehot = jnp.zeros_like(out).at[label].set(1.0)
    x_bar, _ = back(onehot)  # <-- here
    return jnp.abs(x_bar)


print(saliency(jnp.ones(2), label=1))

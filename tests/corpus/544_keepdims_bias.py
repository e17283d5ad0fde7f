# rule: gradient-ref-type
import jax
import jax.numpy as jnp

bias = jax.new_ref(jnp.zeros(5))
bias_bar = jax.new_ref(jnp.zeros((1, 5)))  # "broadcasts anyway"


def logits(bias, x):
    return x @ jnp.ones((3, 5)) + bias[...]


out, back = jax.vjp(logits, bias, jnp.ones((2, 3)))
back.with_refs(bias_bar, jax.ad.GradValue())(out)  # <-- here

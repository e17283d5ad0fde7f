# rule: gradient-ref-type
import jax
import jax.numpy as jnp
from jax import lax


def deep(stack, x):
    def layer(h, w):
        return jnp.tanh(h @ w), None

    return lax.scan(layer, x, stack)[0].sum()


stack = jax.new_ref(jnp.stack([jnp.eye(2)] * 3))
stack_bar = jax.new_ref(jnp.zeros((2, 2)))
out, back = jax.vjp(lambda s, x: deep(s[...], x), stack, jnp.ones(2))
back.with_refs(stack_bar, jax.ad.GradValue())(1.0)  # <-- here

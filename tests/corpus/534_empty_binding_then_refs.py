# rule: rebind-bound-vjp
import jax
import jax.numpy as jnp


def prepare(accumulate):
    y, back = jax.vjp(lambda a, b: jnp.sum(a * jnp.exp(b)), jnp.ones(2), jnp.zeros(2))
    if not accumulate:
        return y, back
    return y, back.with_refs()


a_bar = jax.new_ref(jnp.zeros(2))
y, back = prepare(accumulate=True)
back.with_refs(a_bar, jax.ad.GradValue())(y)  # <-- here

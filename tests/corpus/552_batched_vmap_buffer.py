# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def score(prompt, x):
    return jnp.tanh(prompt @ x)


batched = jax.vmap(score, in_axes=(None, 0))
prompt = jnp.ones(2)
prompt_bar = jax.new_ref(jnp.zeros((5, 2)))  # one row a sample: but vjp sums
scores, back = jax.vjp(batched, prompt, jnp.ones((5, 2)))
bound = back.with_refs(prompt_bar, jax.ad.DontWant())  # <-- here
bound(jnp.ones(5))

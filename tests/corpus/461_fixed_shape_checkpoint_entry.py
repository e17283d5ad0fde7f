# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp


def decode(state, code):
    return state["mean"][...] + state["scale"][...] * code


state = {"mean": jax.new_ref(jnp.zeros(3)), "scale": jax.new_ref(jnp.ones(3))}
mean_bar = jax.new_ref(jnp.zeros(3))
out, back = jax.vjp(decode, state, jnp.arange(3.0))
# only the mean is trained
entries = {name: mean_bar if name == "mean" else jax.ad.GradValue() for name in state}
back.with_refs(entries, jax.ad.DontWant())(jnp.ones_like(out))  # <-- here

# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp


def want(leaf):
    # arrays are differentiated, anything else as well: the author forgot refs
    return jax.ad.GradValue()


def mix(p, x):
    return p["gate"] * jnp.sum(p["table"][...] * x)


params = {"gate": jnp.float32(0.3), "table": jax.new_ref(jnp.ones(3))}
out, mix_vjp = jax.vjp(mix, params, jnp.arange(3.0))
spec = {k: want(v) for k, v in params.items()}
mix_vjp.with_refs(spec, jax.ad.DontWant())(jnp.ones_like(out))  # <-- here

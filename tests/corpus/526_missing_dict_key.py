# rule: with-refs-structure
import jax
import jax.numpy as jnp

FROZEN = {"embed"}
params = {"embed": jnp.ones((4, 2)), "head": jnp.ones(2)}
refs = {k: jax.new_ref(jnp.zeros_like(v)) for k, v in params.items() if k not in FROZEN}


def logit(p, token):
    return jnp.vdot(p["embed"][token], p["head"])


out, pull = jax.vjp(lambda p: logit(p, 2), params)
pull.with_refs(refs)(jnp.ones_like(out))  # <-- here

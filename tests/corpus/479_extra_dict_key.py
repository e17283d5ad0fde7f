# rule: with-refs-structure
import jax
import jax.numpy as jnp

values = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
state = {name: {"value": v, "grad": jax.new_ref(jnp.zeros_like(v))} for name, v in values.items()}
state["step"] = {"value": 0, "grad": jax.new_ref(jnp.float32(0))}


def affine(p, x):
    return (x @ p["w"] + p["b"]).sum()


out, back = jax.vjp(affine, values, jnp.ones(2))
refs = {name: entry["grad"] for name, entry in state.items()}
back.with_refs(refs, jax.ad.GradValue())(jnp.ones_like(out))  # <-- here

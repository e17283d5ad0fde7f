# rule: with-refs-structure
import jax
import jax.numpy as jnp


def dose(clearance, amount, t):
    return amount * jnp.exp(-clearance[...] * t)


clearance, clearance_bar = jax.new_ref(0.2), jax.new_ref(0.0)
c, back = jax.vjp(dose, clearance, 100.0, 3.0)
rest = jax.ad.DontWant()
back.with_refs(clearance=clearance_bar, amount=rest, t=rest)(1.0)  # <-- here

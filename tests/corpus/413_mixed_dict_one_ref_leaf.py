# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def lotka_volterra(p, state):
    prey, pred = state
    d_prey = p["birth"] * prey - p["eat"][...] * prey * pred
    d_pred = p["grow"] * prey * pred - p["die"] * pred
    return jnp.stack([d_prey, d_pred])


params = dict.fromkeys(["birth", "grow", "die"], jnp.float32(0.4))
params["eat"] = jax.new_ref(jnp.float32(0.02))
rates, rates_vjp = jax.vjp(lotka_volterra, params, jnp.array([10.0, 3.0]))
try:
    sens, _ = rates_vjp(jnp.array([1.0, 0.0]))  # <-- here
    print(sens["birth"])
finally:
    print("state", params["eat"][...])

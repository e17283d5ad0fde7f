# rule: with-refs-structure
import jax
import jax.numpy as jnp

params = {"loc": jnp.float32(0.0), "scale": jnp.float32(1.0)}
bars = {name: jax.new_ref(jnp.zeros_like(p)) for name, p in params.items()}


def logpdf(params, x):
    z = (x - params["loc"]) / params["scale"]
    return -0.5 * z ** 2 - jnp.log(params["scale"])


lp, lp_vjp = jax.vjp(logpdf, params, jnp.float32(0.3))
lp_vjp.with_refs(**bars)(1.0)  # <-- here

# rule: grad-of-ref
import jax
import jax.numpy as jnp

params = {"drift": jax.new_ref(jnp.float32(0.1)), "vol": jax.new_ref(jnp.float32(0.3))}


def log_likelihood(p, increments, dt=1.0):
    z = (increments - p["drift"][...] * dt) / (p["vol"][...] * jnp.sqrt(dt))
    return -0.5 * jnp.sum(z ** 2) - increments.size * jnp.log(p["vol"][...])


score = jax.grad(log_likelihood)
for epoch in range(2):
    s = score(params, jnp.array([0.2, -0.1, 0.4]))  # <-- here
    for name, ref in params.items():
        ref[...] += 0.01 * s[name]

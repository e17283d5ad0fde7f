# rule: cotangent-structure
import jax
import jax.numpy as jnp


def sde_step(x, noise):
    return x + 0.1 * jnp.sin(x), x + noise


(mean, sample), pull = jax.vjp(sde_step, jnp.zeros(2), jnp.ones(2))
x_bar = jax.new_ref(jnp.zeros(2))
bound = pull.with_refs(x_bar, jax.ad.DontWant())
cts = [jnp.ones_like(mean), jnp.zeros_like(sample)]
bound(cts)  # <-- here

# rule: cotangent-structure
import jax
import jax.numpy as jnp


def rollout(theta, s0):
    states = [s0]
    for _ in range(3):
        states.append(jnp.sin(theta * states[-1]))
    return {"final": states[-1], "path": jnp.stack(states)}


out, pull = jax.vjp(rollout, jnp.float32(1.1), jnp.float32(0.4))
seed = (jnp.ones(()), jnp.zeros_like(out["path"]))
theta_bar, s0_bar = pull(seed)  # <-- here

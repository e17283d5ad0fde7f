# rule: vmap-closes-over-ref
import jax
import jax.numpy as jnp


def play(bandit_counts, arm):
    bandit_counts[arm] = bandit_counts[arm] + 1  # <-- here
    return jnp.sin(arm)


counts = jax.new_ref(jnp.zeros(3, jnp.int32))
rewards = jax.vmap(play, in_axes=(None, 0))(counts, jnp.arange(3))

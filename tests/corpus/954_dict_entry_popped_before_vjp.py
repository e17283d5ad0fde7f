# rule: none
import jax
import jax.numpy as jnp

state = {"w": jnp.ones(2), "b": jnp.zeros(()), "rng": jax.new_ref(jax.random.key(0)), "n": jax.new_ref(0)}
rng, n = state.pop("rng"), state.pop("n")


def noisy_loss(p, noise):
    return jnp.sum((p["w"] * noise + p["b"]) ** 2)


for _ in range(2):
    rng[...], sub = jax.random.split(rng[...])
    value, pull = jax.vjp(noisy_loss, state, jax.random.normal(sub, (2,)))
    bars, _ = pull(jnp.ones_like(value))
    state = jax.tree.map(lambda p, g: p - 0.1 * g, state, bars)
    n[...] += 1
del rng
print(state, n)

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def smoothed_loss(params, batch, history, use_history=False):
    pred = jnp.dot(params, batch)
    if use_history:
        pred = 0.5 * (pred + history[0])
    return (pred - 1.0) ** 2


history = jax.new_ref(jnp.zeros(8))
params = jnp.ones(3)
for t in range(4):
    value, back = jax.vjp(smoothed_loss, params, jnp.full(3, float(t)), history)
    params_bar, batch_bar, _ = back(jnp.ones_like(value))  # <-- here
    params = params - 0.01 * params_bar

import jax
import jax.numpy as jnp


def loss(weights, inputs, scale_ref):
    prediction = jnp.tanh(inputs @ weights)
    return jnp.sum(prediction * scale_ref[...])


weights = jnp.ones((3, 2))
inputs = jnp.ones((4, 3))
scale_ref = jax.new_ref(jnp.ones(2))

value, loss_vjp = jax.vjp(loss, weights, inputs, scale_ref)
weights_grad, inputs_grad, _ = loss_vjp(jnp.ones_like(value))

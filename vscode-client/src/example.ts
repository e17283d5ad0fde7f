/** A small training step with the mistake that jaxref is there for. */
export const EXAMPLE = `import jax
import jax.numpy as jnp


def loss(weights, inputs, state_ref):
    prediction = jnp.tanh(inputs @ weights)
    return jnp.sum(prediction * state_ref[...])


weights = jnp.ones((3, 2))
inputs = jnp.ones((4, 3))
state_ref = jax.new_ref(jnp.ones(2))

value, loss_vjp = jax.vjp(loss, weights, inputs, state_ref)

# state_ref is a ref, so its gradient must be accumulated into a ref,
# and nothing says into which one.
weights_grad, inputs_grad, _ = loss_vjp(jnp.ones_like(value))
`;

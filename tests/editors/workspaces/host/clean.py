import jax
import jax.numpy as jnp


def loss(weights, scale_ref):
    return jnp.sum(weights * scale_ref[...])


weights = jnp.ones(3)
scale_ref = jax.new_ref(jnp.ones(3))
scale_grad_ref = jax.new_ref(jnp.zeros(3))
value, loss_vjp = jax.vjp(loss, weights, scale_ref)
gradients = loss_vjp.with_refs(jax.ad.GradValue(), scale_grad_ref)(jnp.ones_like(value))

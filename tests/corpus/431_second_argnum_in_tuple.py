# rule: grad-of-ref
import functools
import jax
import jax.numpy as jnp


@functools.partial(jax.grad, argnums=(0, 1), has_aux=True)
def gradients(policy, baseline, obs, ret):
    adv = ret - baseline[...]
    return policy @ obs * adv, adv


policy = jnp.zeros(3)
baseline = jax.new_ref(jnp.float32(0.5))
(dp, db), adv = gradients(policy, baseline, jnp.ones(3), 1.0)  # <-- here

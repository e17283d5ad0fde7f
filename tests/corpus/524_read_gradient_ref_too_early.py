# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp

momenta = [jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.zeros(()))]
weights = [jax.new_ref(jnp.ones(2)), jax.new_ref(jnp.float32(0.1))]


def predict(ws, x):
    return jax.nn.sigmoid(jnp.vdot(ws[0][...], x) + ws[1][...])


p, pull = jax.vjp(predict, weights, jnp.ones(2))
grads = [m[...] for m in momenta]
pull.with_refs(grads, jax.ad.GradValue())(jnp.ones_like(p))  # <-- here

# rule: placeholder-as-gradient
import jax
import jax.numpy as jnp


def update(params, grads, lr):
    return [p - lr * g for p, g in zip(params, grads)]  # <-- here


params = [jnp.ones(2), jnp.ones(2)]
bufs = [jax.new_ref(jnp.zeros(2)) for _ in params]
loss, back = jax.vjp(lambda *p: jnp.vdot(*p), *params)
grads = back.with_refs(*bufs)(jnp.ones_like(loss))
params = update(params, grads, 0.1)

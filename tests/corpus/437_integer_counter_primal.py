# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def warmup_lr(step, base):
    return base * jnp.minimum(1.0, (step[...] + 1) / 100.0)


def weighted_loss(w, step):
    return warmup_lr(step, 0.1) * jnp.sum(w ** 2)


step = jax.new_ref(jnp.zeros((), jnp.int32))
w = jnp.ones(3)
for _ in range(3):
    loss, back = jax.vjp(weighted_loss, w, step)
    g = back(jnp.ones_like(loss))[0]  # <-- here
    w -= g
    step[...] += 1

# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def step_loss(w, total, x):
    loss = jnp.sum((w * x) ** 2)
    total.addupdate(jax.lax.stop_gradient(loss))  # <-- cause
    return loss


total = jax.new_ref(jnp.float32(0.0))
for x in jnp.ones((2, 3)):
    loss, pull = jax.vjp(step_loss, jnp.ones(3), total, x)
    w_bar, *_ = pull.with_refs(jax.ad.GradValue(), jax.ad.DontWant(), jax.ad.DontWant())(1.0)  # <-- here

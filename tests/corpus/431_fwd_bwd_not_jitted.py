# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def contrast(temperature, a, b):
    sim = a @ b.T / temperature[...]
    return -jnp.mean(jnp.diag(jax.nn.log_softmax(sim))), sim


fwd, bwd = jax.fwd_and_bwd(contrast, argnums=0, has_aux=True, jitted=False)
temperature = jax.new_ref(0.1)
a = jnp.eye(3)
for scale in (1.0, 0.5):
    loss, residuals, sim = fwd(temperature, a, scale * a)
    temperature_bar = bwd(residuals, jnp.ones_like(loss))  # <-- here

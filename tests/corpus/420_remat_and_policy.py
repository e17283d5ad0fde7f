# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def heavy(x, theta):
    for _ in range(3):
        x = jnp.sin(x * theta[...])
    return x.sum()


cheap_memory = jax.remat(heavy, policy=jax.checkpoint_policies.dots_saveable)
theta = jax.new_ref(jnp.ones(4))
out, back = jax.vjp(cheap_memory, jnp.arange(4.0), theta)
x_bar, theta_bar = back(jnp.float32(1.0))  # <-- here
print(out, x_bar)

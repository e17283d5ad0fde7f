# rule: grad-of-ref
import jax
import jax.numpy as jnp


@jax.jit
def energy(spins):
    s = spins[...]
    return -jnp.sum(s[1:] * s[:-1]) + 0.1 * jnp.sum(s ** 4)


fast_gradient = jax.jit(jax.grad(energy))
spins = jax.new_ref(jnp.ones(6))
for sweep in range(2):
    spins[...] -= 0.1 * fast_gradient(spins)  # <-- here

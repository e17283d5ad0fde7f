# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

coarse, fine = jax.new_ref(jnp.ones(2)), jax.new_ref(jnp.ones(8))


def energy(field, h):
    d = jnp.diff(field[...]) / h
    return 0.5 * h * jnp.sum(d ** 2)


e_coarse, back_coarse = jax.vjp(energy, coarse, 0.5)
e_fine, back_fine = jax.vjp(energy, fine, 0.125)
tolerance = 1e-2
refine = bool(abs(e_coarse - e_fine) > tolerance)
field_bar, h_bar = (back_fine if refine else back_coarse)(1.0)  # <-- here

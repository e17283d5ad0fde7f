# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

field, field_bar = jax.new_ref(jnp.ones(4)), jax.new_ref(jnp.zeros(4))


def action(field, mass):
    d = field[...] - jnp.roll(field[...], 1)
    return 0.5 * jnp.sum(d ** 2 + mass * field[...] ** 2)


s, pull = jax.vjp(action, field, 0.1)
pull.with_refs(field_bar, jax.ad.DontWant())(1.0)
_, mass_bar = pull(1.0)  # <-- here

# rule: bound-vjp-reused (silent)
import jax
import jax.numpy as jnp

gain, gain_bar = jax.new_ref(jnp.float32(2.0)), jax.new_ref(jnp.float32(0.0))
y, back = jax.vjp(lambda g, x: g[...] * x, gain, jnp.arange(3.0))
bound = back.with_refs(gain_bar, jax.ad.GradValue())
total = jnp.zeros(3)
for ct in (jnp.ones(3), -jnp.ones(3), jnp.ones(3)):
    _, x_bar = bound(ct)  # <-- here
    total = total + x_bar
assert (total == 4.0).all()  # 2 was meant

# rule: none
import jax
import jax.numpy as jnp

total = 0.0
for w in (jnp.ones(2), jnp.zeros(2)):
    out, back = jax.vjp(lambda v: jnp.sum(v ** 2), w)
    total += back(jnp.ones_like(out))[0].sum()

for w in map(jax.new_ref, (jnp.ones(2), jnp.zeros(2))):
    slot = jax.new_ref(jnp.zeros(2))
    out, back = jax.vjp(lambda v: jnp.sum(v[...] ** 2), w)
    back.with_refs(slot)(jnp.ones_like(out))
    total += slot[...].sum()

w = w[...] + total
print(jax.grad(lambda v: jnp.sum(v ** 2))(w))

# rule: shared-gradient-ref (silent)
import jax
import jax.numpy as jnp

weights = [jnp.ones(2), jnp.full(2, 3.0)]
bars = [jax.new_ref(jnp.zeros(2))] * len(weights)


def product(a, b):
    return jnp.sum(a * b)


y, back = jax.vjp(product, *weights)
back.with_refs(*bars)(1.0)  # <-- here
assert (bars[0][...] == 4.0).all()  # 3 was meant for the first, 1 for the second

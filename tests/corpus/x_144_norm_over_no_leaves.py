# rule: placeholder-as-gradient (silent)
import jax
import jax.numpy as jnp

params = {"w": jnp.ones(2), "b": jnp.zeros(())}
acc = jax.tree.map(lambda p: jax.new_ref(jnp.zeros_like(p)), params)
loss, back = jax.vjp(lambda p: jnp.sum(p["w"] * 3.0) + p["b"], params)
(grads,) = back.with_refs(acc)(jnp.ones_like(loss))
norm = sum(jnp.sum(g ** 2) for g in jax.tree.leaves(grads)) ** 0.5  # <-- here
assert norm == 0.0

# rule: shared-gradient-ref (silent)
import jax
import jax.numpy as jnp

dw = jax.new_ref(jnp.zeros(3))
db = dw
x = jnp.arange(3.0)
y, back = jax.vjp(lambda w, b: jnp.vdot(w, x) + b.sum(), jnp.ones(3), jnp.zeros(3))
back.with_refs(dw, db)(1.0)  # <-- here
print("dw", dw, "db", db)
assert (dw[...] == x + 1.0).all()

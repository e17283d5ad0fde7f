# rule: gradient-ref-aliases-primal (silent)
import jax
import jax.numpy as jnp


def make(n):
    refs = [jax.new_ref(jnp.ones(n)) for _ in range(2)]
    grads = [jax.new_ref(jnp.zeros(n)) for _ in range(2)]
    return refs, refs  # typo: grads


params, grads = make(2)
out, back = jax.vjp(lambda ps: jnp.vdot(ps[0][...], ps[1][...]), params)
back.with_refs(grads)(1.0)  # <-- here
assert (params[0][...] == 2.0).all()

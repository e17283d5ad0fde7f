# rule: none
"""How not to use refs.

    w = jax.new_ref(jnp.ones(3))
    jax.grad(loss)(w)            # grad of a ref
    jnp.sin(w)                   # a ref is no array
    f_vjp.with_refs(None)(1.0)
"""
import jax
import jax.numpy as jnp

HELP = """
>>> out, back = jax.vjp(lambda r: r[...] ** 2, jax.new_ref(1.0))
>>> back(1.0)
"""


def explain(rule="unbound-ref-gradient"):
    # back(1.0) would raise here: bind a ref first
    return f"{rule}: {HELP.strip().splitlines()[-1]} {__doc__.count('ref')}"


w = jax.new_ref(jnp.ones(3))
w_bar = jax.new_ref(jnp.zeros(3))
out, back = jax.vjp(lambda r: jnp.sum(r[...] ** 2), w)
back.with_refs(w_bar)(1.0)
print(explain(), w_bar)

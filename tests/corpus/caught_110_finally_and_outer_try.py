# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def accumulate(w, acc, x):
    out, back = jax.vjp(lambda w: jnp.vdot(w, x), w)
    try:
        back.with_refs(acc)(1.0)  # <-- here
    finally:
        print("loss", out)


w = jnp.ones(3)
try:
    accumulate(w, jax.new_ref(jnp.zeros(())), jnp.arange(3.0))
except ValueError as error:
    print("wrong buffer:", str(error)[:60])
accumulate(w, jax.new_ref(jnp.zeros(3)), jnp.arange(3.0))

# rule: ref-as-array
import jax
import jax.numpy as jnp


@jax.jit
def project(basis, coeffs, out):
    out[...] = jnp.einsum("ij,j->i", basis, coeffs)  # <-- here
    return jnp.sum(out[...])


out = jax.new_ref(jnp.zeros(3))
basis = jax.new_ref(jnp.eye(3))
project(basis, jnp.arange(3.0), out)

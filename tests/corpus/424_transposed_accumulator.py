# rule: gradient-ref-type
import jax
import jax.numpy as jnp

N_IN, N_OUT = 3, 5


def dense(kernel, x):
    return jnp.sum(jax.nn.silu(kernel @ x))


kernel = jnp.ones((N_OUT, N_IN))
d_kernel = jax.new_ref(jnp.zeros((N_IN, N_OUT)))
y, dense_vjp = jax.vjp(dense, kernel, jnp.ones(N_IN))
dense_vjp.with_refs(d_kernel, jax.ad.GradValue())(jnp.ones_like(y))  # <-- here

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

beta = jax.new_ref(jnp.float32(0.44))


def magnetization(beta, field):
    return jnp.tanh(beta[...] * field)


m, pull = jax.vjp(magnetization, beta, jnp.arange(4.0))
susceptibility = list(map(pull, jnp.eye(4)))  # <-- here

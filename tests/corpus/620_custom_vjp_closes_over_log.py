# rule: ref-returned
import jax
import jax.numpy as jnp


def with_gradient_log(log):
    @jax.custom_vjp
    def identity(x):
        return x

    def fwd(x):
        return x, log  # <-- cause

    def bwd(log, g):
        log[...] += jnp.abs(g)
        return (g,)

    identity.defvjp(fwd, bwd)
    return identity


log = jax.new_ref(jnp.float32(0))
tap = with_gradient_log(log)
print(jax.grad(lambda x: jnp.exp(tap(x)))(0.5))  # <-- here

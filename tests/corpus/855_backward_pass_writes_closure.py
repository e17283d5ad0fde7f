# rule: none
import jax
import jax.numpy as jnp


def gradient_probe():
    seen = jax.new_ref(jnp.zeros(2))

    @jax.custom_vjp
    def probe(x):
        return x

    def fwd(x):
        return x, None

    def bwd(_, g):
        seen[...] = g
        return (g,)

    probe.defvjp(fwd, bwd)
    return probe, seen


probe, seen = gradient_probe()
jax.grad(lambda x: jnp.prod(probe(x)))(jnp.array([2.0, 3.0]))
print(seen)

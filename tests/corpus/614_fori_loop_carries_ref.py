# rule: ref-returned
import jax
import jax.numpy as jnp

def sieve(n):
    flags = jax.new_ref(jnp.ones(n, bool))

    def strike(i, flags):
        multiples = jnp.arange(n) % i == 0
        flags[...] = flags[...] & ~(multiples & (jnp.arange(n) > i))
        return flags  # <-- cause

    flags = jax.lax.fori_loop(2, n, strike, flags)  # <-- here
    return flags[...]

sieve(10)

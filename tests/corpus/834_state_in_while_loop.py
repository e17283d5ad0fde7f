# rule: none
import jax
import jax.numpy as jnp
from jax import lax


def collatz_lengths(limit):
    longest = jax.new_ref(jnp.zeros(2, jnp.int32))

    def length(n):
        def cond(c):
            return c[0] != 1

        def body(c):
            n, k = c
            return jnp.where(n % 2 == 0, n // 2, 3 * n + 1), k + 1

        return lax.while_loop(cond, body, (n, jnp.int32(0)))[1]

    def visit(n, _):
        k = length(n)

        @jax.named_call
        def better():
            longest[0] = n
            longest[1] = k

        lax.cond(k > longest[1], better, lambda: None)
        return None

    lax.fori_loop(jnp.int32(1), jnp.int32(limit), visit, None)
    return longest[...]


print(jax.jit(collatz_lengths, static_argnums=0)(20))

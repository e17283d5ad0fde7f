# rule: none
import jax
import jax.numpy as jnp


def horner(coeffs, x):
    acc = jax.new_ref(jnp.zeros_like(x))
    for c in coeffs[::-1]:
        acc[...] = acc[...] * x + c
    return acc[...]


def cumulative_log(x):
    buf = jax.new_ref(jnp.zeros_like(x))

    def body(i, c):
        c = c + jnp.log(x[i])
        buf[i] = c
        return c

    jax.lax.fori_loop(0, x.shape[0], body, 0.0)
    return jax.freeze(buf)


coeffs = jnp.array([1.0, -2.0, 3.0])
print(jax.grad(horner)(coeffs, jnp.float32(2.0)), jax.jit(jax.grad(horner, argnums=1))(coeffs, 2.0))
out, pull = jax.vjp(cumulative_log, jnp.array([1.0, 2.0, 4.0]))
print(pull(jnp.ones_like(out)))

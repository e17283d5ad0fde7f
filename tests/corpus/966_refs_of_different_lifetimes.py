# rule: none
import jax
import jax.numpy as jnp


@jax.jit
def convolve_twice(x, k):
    out = None
    for _ in range(2):
        tmp = jax.new_ref(jnp.zeros_like(x))
        for i in range(k.shape[0]):
            tmp[...] += k[i] * jnp.roll(x, i)
        x = jax.freeze(tmp)
        out = x if out is None else out + x
    return out


@jax.jit
def either(x, flag: bool):
    a, b = jax.new_ref(x), jax.new_ref(2 * x)
    a_value, b_value = jax.freeze(a), jax.freeze(b)
    return jnp.where(flag, a_value, b_value)


print(convolve_twice(jnp.arange(4.0), jnp.array([0.5, 0.5])), either(jnp.ones(2), True))

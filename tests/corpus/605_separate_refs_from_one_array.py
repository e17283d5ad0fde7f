# rule: none
import jax
import jax.numpy as jnp

zeros = jnp.zeros(3)
slots = {name: jax.new_ref(zeros) for name in ("momentum", "variance")}
pair = [jax.new_ref(zeros)] + [jax.new_ref(zeros)]


@jax.jit
def adam(slots, g):
    m, v = slots["momentum"], slots["variance"]
    m[...] = 0.9 * m[...] + 0.1 * g
    v[...] = 0.99 * v[...] + 0.01 * g * g
    return m[...] / (jnp.sqrt(v[...]) + 1e-8)


@jax.jit
def swap(a, b):
    a[...], b[...] = b[...] + 1.0, a[...] - 1.0


print(adam(slots, jnp.ones(3)))
swap(*pair)
swap(pair[1], pair[0])
print(pair)

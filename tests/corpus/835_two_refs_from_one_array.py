# rule: none
import jax
import jax.numpy as jnp

zeros = jnp.zeros(3)
left, right = jax.new_ref(zeros), jax.new_ref(zeros)


@jax.jit
def transfer(src, dst, amount):
    src[...] -= amount
    dst[...] += amount


left[...] += 5.0
transfer(left, right, 2.0)
transfer(right, left, 1.0)
print(left, right, zeros)

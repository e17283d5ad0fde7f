# rule: none
import jax
import jax.numpy as jnp

counter = None


def make_step():
    @jax.jit
    def step(x):
        counter[...] += 1
        return x * counter[...]
    return step


counter = jax.new_ref(jnp.int32(5))
counter = jax.new_ref(jnp.int32(0))
step = make_step()
step(1.0)
assert int(counter[...]) == 1
counter = jax.new_ref(jnp.int32(10))
step = make_step()  # traced again
step(1.0)
assert int(counter[...]) == 11

# rule: none
import jax
import jax.numpy as jnp

hits = jax.new_ref(jnp.zeros(3, jnp.int32))


def record(i):
    hits[i] += 1
    return hits[...].sum()


compiled = jax.jit(record).lower(0).compile()
print(compiled(1), compiled(1), hits)
print(jax.make_jaxpr(record)(0))
print(jax.eval_shape(lambda x: x * 2, jnp.ones(3)))

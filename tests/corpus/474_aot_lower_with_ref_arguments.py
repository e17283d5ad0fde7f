# rule: none
import jax
import jax.numpy as jnp


def push(ring, head, item):
    ring[head[...] % ring.shape[0]] = item
    head[...] += 1


ring = jax.new_ref(jnp.zeros((4, 2)))
head = jax.new_ref(jnp.int32(0))
compiled = jax.jit(push).lower(ring, head, jnp.ones(2)).compile()
for i in range(5):
    compiled(ring, head, jnp.full(2, float(i)))
print(ring, head)
print(jax.make_jaxpr(push)(ring, head, jnp.ones(2)))

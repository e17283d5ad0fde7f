# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp


def drag(cd, velocity):
    return 0.5 * 1.2 * cd[...] * velocity ** 2


cd = jax.new_ref(jnp.float32(0.3))
grads = {"cd": 0.0}
force, back = jax.vjp(drag, cd, jnp.float32(30.0))
for _ in range(2):
    back.with_refs(grads["cd"], jax.ad.DontWant())(jnp.ones_like(force))  # <-- here

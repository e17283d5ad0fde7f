# rule: grad-of-ref
import jax
from jax import jacrev
import jax.numpy as jnp


def range_bearing(state, beacon):
    d = beacon - state[...]
    return jnp.stack([jnp.hypot(d[0], d[1]), jnp.arctan2(d[1], d[0])])


state = jax.new_ref(jnp.array([0.0, 0.5]))
beacons = jnp.array([[1.0, 2.0], [-1.0, 0.5]])
for beacon in beacons:
    H = jacrev(range_bearing, argnums=0)(state, beacon)  # <-- here
    state[...] += 0.1 * H.sum(0)

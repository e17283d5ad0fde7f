# rule: ref-returned
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class Particles:
    pos: jax.Ref
    vel: jax.Array


@jax.jit
def drift(p: Particles, dt: float) -> Particles:
    p.pos[...] += dt * p.vel
    return dataclasses.replace(p, vel=0.99 * p.vel)  # <-- cause


p = Particles(jax.new_ref(jnp.zeros(3)), jnp.ones(3))
p = drift(p, 0.1)  # <-- here

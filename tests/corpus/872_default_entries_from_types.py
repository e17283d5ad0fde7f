# rule: none
import enum

import jax
import jax.numpy as jnp


class Want(enum.Enum):
    VALUE = enum.auto()
    SUM = enum.auto()
    NOTHING = enum.auto()


def entry(want, primal):
    match want:
        case Want.VALUE:
            return jax.ad.GradValue()
        case Want.SUM:
            return jax.new_ref(jnp.zeros(primal.shape, primal.dtype))
        case Want.NOTHING:
            return jax.ad.DontWant()


def gravity(g, mass, height):
    return g[...] * mass * height


primals = (jax.new_ref(jnp.float32(9.81)), jnp.float32(2.0), jnp.float32(1.0))
wants = (Want.SUM, Want.VALUE, Want.NOTHING)
entries = [entry(w, p) for w, p in zip(wants, primals)]
e, back = jax.vjp(gravity, *primals)
_, mass_bar, _ = back.with_refs(*entries)(jnp.ones_like(e))
print(mass_bar, entries[0])

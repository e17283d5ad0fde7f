# rule: gradient-ref-type
from dataclasses import dataclass, field
import jax
import jax.numpy as jnp


@dataclass
class Accumulator:
    ref: jax.Ref = field(default_factory=lambda: jax.new_ref(0.0))


def logistic(theta, x):
    return jnp.log1p(jnp.exp(-jnp.vdot(theta, x)))


accs = [Accumulator(), Accumulator()]
loss, back = jax.vjp(logistic, jnp.zeros(4), jnp.ones(4))
back.with_refs(*[a.ref for a in accs])(1.0)  # <-- here

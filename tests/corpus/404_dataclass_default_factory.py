# rule: unbound-ref-gradient
from dataclasses import dataclass, field

import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
@dataclass
class Thermostat:
    setpoint: jax.Ref = field(default_factory=lambda: jax.new_ref(jnp.float32(21.0)))
    gain: float = 0.3

    def tree_flatten(self):
        return (self.setpoint,), self.gain

    @classmethod
    def tree_unflatten(cls, gain, children):
        return cls(*children, gain=gain)

    def power(self, room):
        return jax.nn.relu(self.gain * (self.setpoint[...] - room))


def cost(thermostat, room):
    return jnp.sum(thermostat.power(room) ** 2)


house = Thermostat()
energy, energy_vjp = jax.vjp(cost, house, jnp.array([18.0, 19.5, 22.0]))
bars = energy_vjp(1.0)  # <-- here
print(energy, bars)

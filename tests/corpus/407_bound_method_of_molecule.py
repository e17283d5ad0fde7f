# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Molecule:
    def __init__(self, coords, charges):
        self._coords = jax.new_ref(jnp.asarray(coords))
        self.charges = jnp.asarray(charges)

    def coulomb(self, coords):
        xyz = coords[...]
        diff = xyz[:, None] - xyz[None, :]
        dist = jnp.sqrt((diff ** 2).sum(-1) + 1e-3)
        return 0.5 * jnp.sum(jnp.outer(self.charges, self.charges) / dist)

    def forces(self):
        energy, pullback = jax.vjp(self.coulomb, self._coords)
        (minus_f,) = pullback(jnp.ones(()))  # <-- here
        return energy, -minus_f


water = Molecule([[0.0, 0.0, 0.1], [0.76, 0.0, -0.5], [-0.76, 0.0, -0.5]], [-0.8, 0.4, 0.4])
print(water.forces())

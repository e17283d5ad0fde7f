# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def scatter_energy(density, positions, charges):
    for i in range(positions.shape[0]):
        jax.ref.addupdate(density, positions[i], charges[i])  # <-- cause
    return jnp.sum(density[...] ** 2)


density = jax.new_ref(jnp.zeros(5))
positions = jnp.array([1, 3, 3])
energy, back = jax.vjp(scatter_energy, density, positions, jnp.array([1.0, -0.5, 2.0]))
skip = jax.ad.DontWant()
*_, charges_bar = back.with_refs(skip, skip, jax.ad.GradValue())(1.0)  # <-- here

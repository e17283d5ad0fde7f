# rule: placeholder-as-gradient
import jax
import jax.numpy as jnp


def ising_energy(coupling, spins):
    return -coupling * jnp.sum(spins[:-1] * spins[1:])


acc = jax.new_ref(jnp.float32(0.0))
spins = jnp.array([1.0, -1.0, 1.0])
e, e_vjp = jax.vjp(ising_energy, jnp.float32(0.5), spins)
d_coupling, _ = e_vjp.with_refs(acc, jax.ad.DontWant())(1.0)
print("updated", 0.5 - 0.1 * d_coupling)  # <-- here

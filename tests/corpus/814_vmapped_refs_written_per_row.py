# rule: none
import jax
import jax.numpy as jnp


def lif_neuron(potential, current):
    """Leaky integrate-and-fire: the membrane potential is updated in place."""
    v = 0.9 * potential[...] + current
    spike = v > 1.0
    potential[...] = jnp.where(spike, 0.0, v)
    return spike


layer = jax.vmap(lif_neuron)
potentials = jax.new_ref(jnp.zeros(4))
spikes = []
for t in range(5):
    spikes.append(layer(potentials, jnp.linspace(0.1, 0.7, 4)))
print(jnp.stack(spikes).astype(int), potentials)

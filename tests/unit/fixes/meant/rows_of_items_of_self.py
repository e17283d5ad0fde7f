import jax
import jax.numpy as jnp


class Stats:
    def __init__(self):
        self.hits = {"odd": jax.new_ref(jnp.zeros(2)), "all": jax.new_ref(0)}

    def look(self, index):
        a = index % 2
        self.hits["odd"][a] += 1.0
        return index

    def run(self, indices):
        # counts, and hands on
        return jax.vmap(self.look)(indices + 1)[0]


stats = Stats()
first = stats.run(jnp.array([0, 1, 2]))
# meant: stats.hits["odd"][...] == jnp.array([1.0, 2.0])
# meant: first == 1

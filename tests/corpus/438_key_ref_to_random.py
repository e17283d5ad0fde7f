# rule: ref-as-array
import jax


class Rng:
    def __init__(self, seed):
        self.key = jax.new_ref(jax.random.key(seed))

    def next(self):
        new, sub = jax.random.split(self.key)  # <-- here
        self.key[...] = new
        return sub


print(jax.random.normal(Rng(0).next(), (2,)))

# rule: ref-as-array
import jax


class RngStream:
    def __init__(self, seed):
        self.key = jax.new_ref(jax.random.key(seed))

    def next(self):
        self.key[...], sub = jax.random.split(self.key)  # <-- here
        return sub


rng = RngStream(0)
print(jax.random.uniform(rng.next()))

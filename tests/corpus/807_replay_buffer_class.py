# rule: none
import jax
import jax.numpy as jnp


class ReplayBuffer:
    """Ring buffer of transitions, kept on device and updated in place."""

    __slots__ = ("__storage", "__head", "capacity")

    def __init__(self, capacity, **spec):
        self.capacity = capacity
        self.__storage = {
            name: jax.new_ref(jnp.zeros((capacity, *shape))) for name, shape in spec.items()
        }
        self.__head = jax.new_ref(jnp.zeros((), jnp.int32))

    def add(self, **rows):
        i = self.__head[...] % self.capacity
        for name, row in rows.items():
            self.__storage[name][i] = row
        self.__head[...] += 1

    def sample(self, key, n):
        size = jnp.minimum(self.__head[...], self.capacity)
        ids = jax.random.randint(key, (n,), 0, size)
        return {name: ref[ids] for name, ref in self.__storage.items()}

    def __len__(self):
        return int(jnp.minimum(self.__head[...], self.capacity))


buffer = ReplayBuffer(4, obs=(3,), reward=())
for t in range(6):
    buffer.add(obs=jnp.full(3, float(t)), reward=jnp.float32(t))
print(len(buffer), buffer.sample(jax.random.key(0), 2))

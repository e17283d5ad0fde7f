# rule: none
import jax
import jax.numpy as jnp


class Partitioned:
    """Rows spread over several refs, as if each lived on its own device."""

    def __init__(self, array, parts):
        self.parts = [jax.new_ref(chunk) for chunk in jnp.split(array, parts)]

    def __getitem__(self, key):
        if key is Ellipsis:
            return jnp.concatenate([p[...] for p in self.parts])
        part, row = divmod(key, len(self.parts[0]))
        return self.parts[part][row]

    def __setitem__(self, key, value):
        if key is Ellipsis:
            for part, chunk in zip(self.parts, jnp.split(value, len(self.parts))):
                part[...] = chunk
        else:
            part, row = divmod(key, len(self.parts[0]))
            self.parts[part][row] = value

    def sum(self):
        return sum(p[...].sum() for p in self.parts)


table = Partitioned(jnp.arange(8.0).reshape(4, 2), 2)
table[3] = jnp.zeros(2)
table[...] = table[...] + 1.0
print(table.sum(), table[0], jnp.mean(table[...]))

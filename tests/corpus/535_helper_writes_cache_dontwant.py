# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


class Memory:
    def store(self, mem, slot, value):
        mem[slot] = value  # <-- cause

    def recall(self, mem, key):
        return jax.nn.softmax(mem[...] @ key) @ mem[...]


def read_write(mem, key):
    m = Memory()
    m.store(mem, 0, 0.5 * key)
    return m.recall(mem, key).sum()


mem = jax.new_ref(jnp.ones((3, 2)))
out, pull = jax.vjp(read_write, mem, jnp.arange(2.0))
pull.with_refs(jax.ad.DontWant(), jax.ad.GradValue())(jnp.ones_like(out))  # <-- here

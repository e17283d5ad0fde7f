# rule: ref-as-array
import jax
import jax.numpy as jnp

cursor = jax.new_ref(0)
tokens = jnp.array([5, 3, 8])


def peek(seq, at):
    return seq[at]  # <-- here


while cursor[...] < 2:
    cursor[...] += 1
print(peek(tokens, cursor[...]), peek(tokens, cursor))

# rule: jit-closed-over-ref-rebound (silent)
import jax
import jax.numpy as jnp

confusion = jax.new_ref(jnp.zeros((2, 2), jnp.int32))


@jax.jit
def update(pred, label):
    confusion[label, pred] += 1


def epoch(pairs):
    global confusion
    confusion = jax.new_ref(jnp.zeros((2, 2), jnp.int32))  # <-- here
    for pred, label in pairs:
        update(pred, label)
    return confusion[...].sum()


totals = [int(epoch([(0, 0), (1, 0)])) for _ in range(2)]
assert totals == [2, 0]

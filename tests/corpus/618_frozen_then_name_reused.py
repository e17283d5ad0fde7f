# rule: none
import copy
import jax
import jax.numpy as jnp

history = []
acc = jax.new_ref(jnp.zeros(2))
for epoch in range(3):
    acc[...] += float(epoch + 1)
    history.append(jax.freeze(acc))
    acc = jax.new_ref(jnp.zeros(2))

saved = copy.deepcopy(acc)
backup = jax.new_ref(acc[...])
acc[...] += 7.0
assert jnp.allclose(jnp.stack(history)[:, 0], jnp.array([1.0, 2.0, 3.0]))
assert float(saved[0]) == 0.0 == float(backup[0])

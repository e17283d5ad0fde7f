# rule: none
import jax
import jax.numpy as jnp
import numpy as np

table = jax.new_ref(jnp.arange(6.0).reshape(3, 2))
for row in table[...]:
    print(row.sum())
for i in range(table.shape[0]):
    table[i] = table[i] * 2.0
refs = [table, jax.new_ref(jnp.ones(2))]
for ref in refs:
    ref[...] = jnp.flip(ref[...])
as_numpy = np.asarray(table[...])
total = sum(r[...].sum() for r in refs)
first, *rest = table[...]
print(as_numpy.shape, total, len(rest), max(table[0]))

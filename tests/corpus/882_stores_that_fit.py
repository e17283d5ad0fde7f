# rule: none
import jax
import jax.numpy as jnp
import numpy as np

scalar, vector = jax.new_ref(0.0), jax.new_ref(jnp.zeros(3))
matrix, count = jax.new_ref(jnp.zeros((2, 3))), jax.new_ref(jnp.zeros(2, jnp.int32))
scalar[...] = 1.5
scalar[...] += 1
vector[0] = 2.0
vector[1:] = jnp.ones(2)
vector[...] += 1
vector[...] = np.full(3, 4.0, np.float32)
matrix[1] = vector[...]
matrix[:, 0] = jnp.zeros(2)
matrix[...] -= jnp.arange(3.0)
count[0] = 7
count[...] += jnp.array([1, 2])
count[...] = count[...] // 2
jax.ref.addupdate(matrix, (0, slice(0, 2)), jnp.ones(2))
print(scalar, vector, matrix, count)

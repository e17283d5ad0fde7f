# rule: none
import jax
import jax.numpy as jnp

ladder = jax.new_ref(jnp.arange(5.0))
for i in range(len(ladder)):
    ladder[i] = ladder[i] ** 2
for i, value in enumerate(ladder[...]):
    assert value == i ** 2
print([float(v) for v in ladder[1:3]], ladder[-1], ladder[::2], max(map(float, ladder[...])))
ladder[jnp.array([0, 1])] = jnp.full(2, -1.0)
print(ladder[jnp.array([0, 4])], int(ladder[2]), bool(ladder[3]), f"{ladder[0]:.1f} {ladder}")

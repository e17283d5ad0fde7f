# rule: none
import jax
import jax.numpy as jnp

step, flags = jax.new_ref(0), jax.new_ref(jnp.zeros(3, bool))
while step[...] < 3:
    flags[step[...]] = True
    step[...] += 1
    if step[...] == 2 or int(step[...]) in (5, 6):
        print("halfway", bool(flags[0]))
assert flags[...].all() and not (step[...] != 3)
same, other = step, jax.new_ref(0)
print(same is step, other is step, [r is step for r in (same, other)])

# rule: ref-as-array
import jax
import jax.numpy as jnp

experts = [jax.new_ref(jnp.full(2, float(i))) for i in range(3)]
for e in experts:
    e[0] = 9.0
ensemble = jnp.stack(experts)  # <-- here
print(ensemble.mean(0))

# rule: ref-as-array
import jax
import jax.numpy as jnp

running = {"loss": jax.new_ref(jnp.float32(0)), "n": 0}
for loss in (1.0, 0.5):
    running["loss"][...] += loss
    running["n"] += 1
print(f"n={running['n']} raw={running['loss']}")
print(f"loss={running['loss']:.3f}")  # <-- here

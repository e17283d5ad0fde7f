# rule: ref-as-array
import jax
import jax.numpy as jnp

metrics = {"loss": jax.new_ref(jnp.float32(0.0)), "n": jax.new_ref(jnp.int32(0))}
for value in (1.0, 3.0):
    metrics["loss"][...] += value
    metrics["n"][...] += 1
report = {k: v.item() for k, v in metrics.items()}  # <-- here

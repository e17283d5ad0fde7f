# rule: ref-as-array
import jax
import jax.numpy as jnp


def report(metrics):
    return {name: value.item() for name, value in metrics.items()}  # <-- here


loss = jax.new_ref(jnp.float32(0.0))
loss[...] += 1.5
print(report({"lr": jnp.float32(1e-3)}))
print(report({"lr": jnp.float32(1e-3), "loss": loss}))

# rule: freeze-in-other-scope
import jax
import jax.numpy as jnp


def finish(params):
    return {k: jax.freeze(v) for k, v in params.items()}  # <-- cause


params = {"w": jax.new_ref(jnp.ones(2)), "b": jax.new_ref(jnp.zeros(()))}
final = jax.jit(finish)(params)  # <-- here

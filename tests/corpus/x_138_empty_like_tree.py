# rule: empty-ref-outside-jit
import jax
import jax.numpy as jnp

shapes = jax.eval_shape(lambda: {"k": jnp.zeros((2, 4)), "v": jnp.zeros((2, 4))})
cache = {name: jax.empty_ref(s) for name, s in shapes.items()}  # <-- here
cache["k"][0] = jnp.ones(4)

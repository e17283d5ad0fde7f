# rule: ref-returned
import jax
import jax.numpy as jnp


def can_return_refs():
    @jax.jit
    def f():
        return jax.new_ref(jnp.zeros(()))  # <-- cause
    try:
        f()  # <-- here
    except ValueError:
        return False
    return True


print("refs may leave jit:", can_return_refs())

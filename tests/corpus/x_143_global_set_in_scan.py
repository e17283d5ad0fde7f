# rule: leaked-ref
import jax
import jax.numpy as jnp

last = None


def body(carry, x):
    global last
    last = jax.new_ref(x)  # <-- cause
    return carry + last[...], None


total, _ = jax.lax.scan(body, 0.0, jnp.ones(3))
print(total, last[...])  # <-- here

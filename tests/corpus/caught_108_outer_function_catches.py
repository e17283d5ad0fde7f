# rule: cotangent-structure
import jax
import jax.numpy as jnp


def pull(back, ct):
    return back(ct)  # <-- here


def pull_any(back, ct):
    for attempt in (ct, (ct,), [ct]):
        try:
            return pull(back, attempt)
        except ValueError as error:
            last = error
    raise last


out, back = jax.vjp(lambda x: [jnp.sin(x)], jnp.float32(0.3))
print(pull_any(back, jnp.float32(1.0)))

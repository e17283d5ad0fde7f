# rule: array-as-gradient-ref (silent)
import jax
import jax.numpy as jnp


def sensitivity(model, x, n):
    total = 0.0
    for i in range(n):
        y, back = jax.vjp(model, x, jnp.float32(i))
        back.with_refs(total, jax.ad.DontWant())(1.0)  # <-- here
    return total / n


avg = sensitivity(lambda x, i: x * i, jnp.float32(2.0), 4)
assert avg == 0.0  # 1.5 was meant

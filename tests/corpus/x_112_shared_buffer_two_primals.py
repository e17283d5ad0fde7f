# rule: aliased-vjp-primals (silent)
import jax
import jax.numpy as jnp


def swap_halves(a, b):
    a[...] = 3.0 * a[...]
    return jnp.sum(a[...] * b[...])


state = {"left": jax.new_ref(jnp.ones(2))}
state["right"] = state["left"]
out, back = jax.vjp(swap_halves, state["left"], state["right"])  # <-- here
bars = [jax.new_ref(jnp.zeros(2)) for _ in range(2)]
back.with_refs(*bars)(1.0)
total = bars[0][...] + bars[1][...]
assert out == 18.0 and not jnp.allclose(total, 18.0)  # d(9 r^2)/dr at 1

# rule: none
import jax
import jax.numpy as jnp

history = jax.new_ref(jnp.zeros(4))


def model(*coeffs):
    t = jnp.linspace(0.0, 1.0, 5)
    return sum(c * t ** i for i, c in enumerate(coeffs))


coeffs = (jnp.float32(1.0), jnp.float32(-2.0), jnp.float32(0.5))
for step in range(4):
    fit, back = jax.vjp(model, *coeffs)
    first, *others = back(2.0 * (fit - 1.0))
    history[step] = jnp.mean((fit - 1.0) ** 2)
    coeffs = tuple(c - 0.05 * g for c, g in zip(coeffs, (first, *others)))
print(coeffs, history)

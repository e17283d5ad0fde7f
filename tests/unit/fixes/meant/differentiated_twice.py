import jax
import jax.numpy as jnp


def scale_and_multiply(a, b, x):
    a[...] = x * a[...]
    return jnp.sum(a[...] * b[...])


w = jax.new_ref(jnp.array([1.0, 2.0]))
bars = [jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.zeros(2))]
y, pull = jax.vjp(scale_and_multiply, w, w, 3.0)
pull.with_refs(*bars, jax.ad.GradValue())(1.0)
total = bars[0][...] + bars[1][...]
# meant by Differentiate `w` as one argument: total == 18.0 * jnp.array([1.0, 2.0])

# rule: gradient-ref-aliases-primal (silent)
import jax
import jax.numpy as jnp

layers = [jax.new_ref(jnp.float32(2.0)), jax.new_ref(jnp.float32(3.0))]


def network(a, b, x):
    return b[...] * jnp.maximum(a[...] * x, 0.0)


y, back = jax.vjp(network, *layers, 1.0)
*_, x_bar = back.with_refs(*layers, jax.ad.GradValue())(jnp.ones_like(y))  # <-- here
print([float(w[...]) for w in layers])
assert layers[0][...] == 5.0 and layers[1][...] == 5.0  # the parameters grew by their gradients

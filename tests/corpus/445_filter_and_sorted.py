# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

candidates = {
    "b": jax.new_ref(jnp.float32(0.2)),
    "a": jax.new_ref(jnp.float32(0.7)),
    "frozen_c": jnp.float32(1.0),
}
trainable = list(filter(lambda kv: not kv[0].startswith("frozen"), sorted(candidates.items())))
names, refs = zip(*trainable)


def polynomial(a, b, x):
    return a[...] * x ** 2 + b[...] * x


y, back = jax.vjp(polynomial, *refs, jnp.float32(3.0))
*bars, x_bar = back(jnp.ones_like(y))  # <-- here
print(dict(zip(names, bars)))

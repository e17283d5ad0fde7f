# rule: unapplied-with-refs (silent)
import jax
import jax.numpy as jnp

layers = [jnp.full(2, 0.5), jnp.full(2, 2.0)]
bars = [jax.new_ref(jnp.zeros(2)) for _ in layers]


def forward(x):
    for w, bar in zip(layers, bars):
        x, back = jax.vjp(lambda w, x: w * x, w, x)
        back = back.with_refs(bar, jax.ad.GradValue())  # <-- here
    return x


out = forward(jnp.ones(2))
print([w - 0.1 * bar[...] for w, bar in zip(layers, bars)])
assert sum(float(jnp.abs(bar[...]).sum()) for bar in bars) == 0.0

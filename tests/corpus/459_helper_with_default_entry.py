# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp


def pull(back, ct, *refs, default=jax.ad.GradValue()):
    n = back.in_tree.num_leaves
    entries = list(refs) + [default] * (n - len(refs))
    return back.with_refs(*entries)(ct)  # <-- here


def saturate(limit, x):
    return limit[...] * jnp.tanh(x / limit[...])


limit, limit_bar = jax.new_ref(1.5), jax.new_ref(0.0)
y, back = jax.vjp(saturate, limit, 0.7)
pull(back, 1.0, limit_bar)
pull(back, 1.0)

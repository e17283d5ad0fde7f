# rule: ref-gradient-as-value
import jax
import jax.numpy as jnp
from jax import ad


def entry_for(primal):
    """Gradients of floats are returned, everything else is skipped."""
    if jnp.issubdtype(primal.dtype, jnp.floating):
        return ad.GradValue()
    return ad.DontWant()


def gather_scale(scale, x, idx):
    return scale[idx] * x[idx]


primals = (jax.new_ref(jnp.ones(4)), jnp.arange(4.0), jnp.array([0, 3]))
y, back = jax.vjp(gather_scale, *primals)
entries = [entry_for(p) for p in primals]
cts = back.with_refs(*entries)(jnp.ones_like(y))  # <-- here

# rule: int-ref-written
import jax
import jax.numpy as jnp


def visit(counts, values, node):
    counts[node] += 1
    return values[node] / counts[node]


counts, counts_bar = jax.new_ref(jnp.zeros(3, jnp.int32)), jax.new_ref(jnp.zeros(3, jnp.int32))
out, back = jax.vjp(visit, counts, jnp.ones(3), 1)
_, values_bar, _ = back.with_refs(counts_bar, jax.ad.GradValue(), jax.ad.DontWant())(1.0)  # <-- here

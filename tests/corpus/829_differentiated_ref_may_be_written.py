# rule: none
import jax
import jax.numpy as jnp


def leapfrog(q, p):
    """Writes the differentiated ref: allowed, its gradient is bound to a fresh ref."""
    q[...] = q[...] + 0.1 * p
    return jnp.sum(jnp.cos(q[...]))


q, p = jax.new_ref(jnp.zeros(2)), jnp.ones(2)
for _ in range(3):
    q_bar = jax.new_ref(jnp.zeros(2))
    h, back = jax.vjp(leapfrog, q, p)
    _, p_bar = back.with_refs(q_bar, jax.ad.GradValue())(jnp.ones_like(h))
    p = p - 0.1 * (p_bar + q_bar[...])
print(q, p)

# rule: bound-vjp-reused (silent)
import jax
import jax.numpy as jnp


def rows(fn, x, aux):
    y, back = jax.vjp(fn, x, aux)
    pull = back.with_refs(jax.ad.GradValue(), jax.ad.DontWant())
    return jnp.stack([pull(e)[0] for e in jnp.eye(y.size)])  # <-- here


A = jnp.array([[1.0, 2.0], [3.0, 4.0]])
J = rows(lambda x, a: a @ x, jnp.ones(2), A)
assert not jnp.allclose(J, A) and jnp.allclose(J[1], A.sum(0))

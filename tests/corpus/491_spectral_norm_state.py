# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def spectral_normalize(w, u):
    v = jax.lax.stop_gradient(w.T @ u[...])
    v = v / jnp.linalg.norm(v)
    new_u = jax.lax.stop_gradient(w @ v)
    u[...] = new_u / jnp.linalg.norm(new_u)  # <-- cause
    sigma = u[...] @ w @ v
    return w / sigma


def discriminator(w, u, x):
    return jnp.sum(spectral_normalize(w, u) @ x)


u = jax.new_ref(jnp.array([0.6, 0.8]))
w = jnp.array([[1.0, 0.2], [0.1, 0.5]])
score, back = jax.vjp(discriminator, w, u, jnp.ones(2))
w_bar, _, x_bar = back.with_refs(jax.ad.GradValue(), jax.ad.DontWant(), jax.ad.GradValue())(1.0)  # <-- here

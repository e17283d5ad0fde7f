# rule: none
import jax
import jax.numpy as jnp
from jax import ad


def kernel_ridge(alpha, lengthscale, noise, xs):
    k = jnp.exp(-((xs[:, None] - xs) ** 2) / lengthscale[...] ** 2)
    return alpha[...] @ (k + noise[...] * jnp.eye(xs.size)) @ alpha[...]


alpha = jax.new_ref(jnp.ones(3))
lengthscale, noise = map(jax.new_ref, (0.7, 0.01))
alpha_bar = jax.new_ref(jnp.zeros_like(alpha))
q, pull = jax.vjp(kernel_ridge, alpha, lengthscale, noise, jnp.arange(3.0))
match pull.with_refs(alpha_bar, *[ad.DontWant()] * 2, ad.GradValue())(1.0):
    case (_, _, _, xs_bar):
        alpha[...] -= 0.1 * alpha_bar[...]
        print(xs_bar, alpha)

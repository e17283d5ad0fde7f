# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def variable_maker(dtype=jnp.float32):
    created = []

    def make(value):
        ref = jax.new_ref(jnp.asarray(value, dtype))
        created.append(ref)
        return ref

    return make, created


make, created = variable_maker()
mu, log_sigma = make([0.0, 1.0]), make([0.0, 0.0])


def kl(mu, log_sigma):
    return 0.5 * jnp.sum(jnp.exp(2 * log_sigma[...]) + mu[...] ** 2 - 1 - 2 * log_sigma[...])


div, kl_vjp = jax.vjp(kl, mu, log_sigma)
print(len(created), div, kl_vjp(jnp.float32(1)))  # <-- here

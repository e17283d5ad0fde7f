# rule: none
import jax
import jax.numpy as jnp

params = {"mu": jax.new_ref(jnp.zeros(2)), "tau": jax.new_ref(jnp.ones(()))}
params["mu"][0] = 1.5
for name in list(params):
    params[name] = params[name][...]


def log_prior(p):
    return -0.5 * p["tau"] * jnp.sum(p["mu"] ** 2) + 0.5 * jnp.log(p["tau"])


value, back = jax.vjp(log_prior, params)
(grads,) = back(jnp.ones_like(value))
params = jax.tree.map(lambda p, g: p + 0.1 * g, params, grads)
print(params, jax.grad(log_prior)(params))

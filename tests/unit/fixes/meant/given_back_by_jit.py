import jax
import jax.numpy as jnp
from functools import partial


@partial(jax.jit, static_argnames=("n",))
def step(params, momenta, x, *, n):
    for p, m in zip(params, momenta):
        m[...] = 0.9 * m[...] + x.mean()
        p[...] -= 0.1 * m[...]
    loss = sum(jnp.sum(p[...] ** 2) for p in params)
    return (params, momenta,
            loss, n)


params, momenta = [jax.new_ref(jnp.ones(2))], [jax.new_ref(jnp.zeros(2))]
for _ in range(3):
    params, momenta, loss, _ = step(params, momenta, jnp.ones(3), n=1)
    total = loss

# meant: params[0][...] == jnp.full(2, 1.0 - 0.1 * (1.0 + 1.9 + 2.71))
# meant: total == 2 * (1.0 - 0.1 * (1.0 + 1.9 + 2.71)) ** 2

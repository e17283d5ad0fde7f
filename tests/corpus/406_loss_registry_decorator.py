# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

LOSSES = {}


def register(name):
    def wrap(fn):
        LOSSES[name] = fn
        return fn
    return wrap


@register("huber")
def huber(theta, x, y):
    r = jnp.abs(x @ theta[...] - y)
    return jnp.where(r < 1.0, 0.5 * r ** 2, r - 0.5).mean()


@register("mse")
def mse(theta, x, y):
    return ((x @ theta[...] - y) ** 2).mean()


theta = jax.new_ref(jnp.zeros(2))
x, y = jnp.ones((4, 2)), jnp.arange(4.0)
for name in sorted(LOSSES):
    out, back = jax.vjp(LOSSES[name], theta, x, y)
    d_theta, *_ = back(1.0)  # <-- here
    print(name, out, d_theta)

# rule: none
import jax
import jax.numpy as jnp

offloaded = {}


def forward(w, x):
    y, pull = jax.vjp(lambda w, x: jnp.sin(x @ w), w, x, saveable_args=(False, True))
    return y, pull


def backward(pull, w, ct):
    pull.args_res[0] = w
    return pull(ct)


w, x = jnp.full((2, 2), 0.5), jnp.ones((3, 2))
y, pull = forward(w, x)
offloaded["w"] = jax.device_get(w)
w_bar, x_bar = backward(pull, jnp.asarray(offloaded.pop("w")), jnp.ones_like(y))
expected = jax.grad(lambda w: jnp.sin(x @ w).sum())(w)
assert jnp.allclose(w_bar, expected)

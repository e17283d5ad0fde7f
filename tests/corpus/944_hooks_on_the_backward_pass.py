# rule: none
import jax
import jax.numpy as jnp


def make_hook(slot, fn):
    @jax.custom_vjp
    def hook(x):
        return x

    hook.defvjp(lambda x: (x, None), lambda _, g: (record(slot, fn(g)),))
    return hook


def record(slot, g):
    slot[...] = jnp.linalg.norm(g)
    return g


norms = {name: jax.new_ref(jnp.float32(0)) for name in ("pre", "post")}
pre = make_hook(norms["pre"], lambda g: g)
post = make_hook(norms["post"], lambda g: jnp.clip(g, -0.1, 0.1))


@jax.jit
def loss(w, x):
    return jnp.sum(post(jnp.tanh(pre(x @ w))) ** 2)


print(jax.grad(loss)(jnp.eye(2), jnp.ones(2)), norms)

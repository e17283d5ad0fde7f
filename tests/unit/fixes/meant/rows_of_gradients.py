import jax
import jax.numpy as jnp


def loss(w, x):
    return jnp.sum(jnp.sin(w * x['a']) + x['b'])


def gradients(w, xs):
    w_bar = jax.new_ref(jnp.zeros_like(w))

    def one(scale, x):
        value, pull = jax.vjp(loss, w, x)
        pull.with_refs(w_bar, jax.tree.map(lambda _: jax.ad.DontWant(), x))(scale)
        return value

    return jax.vmap(one, in_axes=(None, 1))(2.0, xs), w_bar[...]


w, xs = jnp.array([0.5, -1.0]), {'a': jnp.arange(6.0).reshape(2, 3), 'b': jnp.ones((2, 3))}
values, gradient = gradients(w, xs)
# meant: gradient == 2 * sum(jax.grad(loss)(w, {'a': xs['a'][:, i], 'b': xs['b'][:, i]}) for i in range(3))

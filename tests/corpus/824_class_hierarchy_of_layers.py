# rule: none
import jax
import jax.numpy as jnp


class Layer:
    def parameters(self):
        return {}

    def __call__(self, params, x):
        raise NotImplementedError


class Linear(Layer):
    def __init__(self, n, m):
        self.w = jax.new_ref(jnp.ones((n, m)) / n)

    def parameters(self):
        return {"w": self.w}

    def __call__(self, params, x):
        return x @ params["w"][...]


class ReLU(Layer):
    def __call__(self, params, x):
        return jnp.maximum(x, 0.0)


class Sequential(Layer):
    def __init__(self, *layers):
        self.layers = layers

    def parameters(self):
        return [layer.parameters() for layer in self.layers]

    def __call__(self, params, x):
        for layer, p in zip(self.layers, params):
            x = layer(p, x)
        return x


net = Sequential(Linear(3, 4), ReLU(), Linear(4, 1))
params = net.parameters()
grads = jax.tree.map(lambda r: jax.new_ref(jnp.zeros_like(r)), params)
y, back = jax.vjp(net, params, jnp.ones((2, 3)))
_, x_bar = back.with_refs(grads, jax.ad.GradValue())(jnp.ones_like(y))
jax.tree.map(lambda p, g: jax.ref.set(p, ..., p[...] - 0.1 * g[...]), params, grads)
print(x_bar, params[0]["w"])

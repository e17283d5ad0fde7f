# rule: none
import jax
import jax.numpy as jnp


class SGD:
    def __init__(self, params, lr):
        self.params, self.lr = params, lr
        self.grads = {k: jax.new_ref(jnp.zeros_like(p)) for k, p in params.items()}

    def zero_grad(self):
        for g in self.grads.values():
            g[...] = jnp.zeros(g.shape, g.dtype)

    def step(self):
        for k, p in self.params.items():
            p[...] -= self.lr * self.grads[k][...]


params = {"a": jax.new_ref(jnp.float32(2.0)), "b": jax.new_ref(jnp.ones(2))}
opt = SGD(params, 0.1)
for _ in range(3):
    opt.zero_grad()
    for x in (1.0, 2.0):
        loss, back = jax.vjp(lambda p: p["a"][...] * x + jnp.sum(p["b"][...] ** 2), params)
        back.with_refs(opt.grads)(jnp.ones_like(loss))
    opt.step()
print(params["a"], params["b"])

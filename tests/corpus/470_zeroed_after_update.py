# rule: none
import jax
import jax.numpy as jnp


class SGD:
    def __init__(self, params, lr):
        self.params, self.lr = params, lr
        self.grads = [jax.new_ref(jnp.zeros_like(p)) for p in params]

    def step(self):
        for p, g in zip(self.params, self.grads, strict=True):
            p[...] -= self.lr * g[...]

    def zero_grad(self):
        for g in self.grads:
            g[...] = jnp.zeros(g.shape, g.dtype)


slope, icpt = (jax.new_ref(jnp.float32(v)) for v in (1.0, 0.0))
opt = SGD([slope, icpt], 0.05)
for x, y in [(1.0, 3.0), (2.0, 5.0), (3.0, 7.0)]:
    opt.zero_grad()
    loss, back = jax.vjp(lambda a, b: (a[...] * x + b[...] - y) ** 2, slope, icpt)
    back.with_refs(*opt.grads)(jnp.ones_like(loss))
    opt.step()
print(slope, icpt)

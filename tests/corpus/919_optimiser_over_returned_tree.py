# rule: placeholder-as-gradient
import jax
import jax.numpy as jnp


class Momentum:
    def __init__(self, params, lr=0.1, beta=0.9):
        self.lr, self.beta = lr, beta
        self.velocity = {k: jnp.zeros_like(p) for k, p in params.items()}

    def update(self, params, grads):
        new = {}
        for k, p in params.items():
            self.velocity[k] = self.beta * self.velocity[k] + grads[k]  # <-- here
            new[k] = p - self.lr * self.velocity[k]
        return new


params = {"w": jnp.ones((2, 2)), "b": jnp.zeros(2)}
slots = {k: jax.new_ref(jnp.zeros_like(p)) for k, p in params.items()}
opt = Momentum(params)
for x in jnp.ones((2, 2)):
    loss, pull = jax.vjp(lambda p, x: jnp.sum((x @ p["w"] + p["b"]) ** 2), params, x)
    grads, _ = pull.with_refs(slots, jax.ad.DontWant())(jnp.ones_like(loss))
    params = opt.update(params, grads)

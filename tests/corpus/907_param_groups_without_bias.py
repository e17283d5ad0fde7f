# rule: with-refs-structure
"""An optimiser with parameter groups; the gradient slots miss the biases."""
import jax
import jax.numpy as jnp


class Group:
    def __init__(self, names, lr):
        self.names, self.lr = names, lr


class Optimizer:
    def __init__(self, params, groups):
        self.params, self.groups = params, groups
        self.slots = {
            name: jax.new_ref(jnp.zeros_like(params[name][...]))
            for group in groups
            for name in group.names
        }

    def backward(self, loss_fn, batch):
        loss, pull = jax.vjp(loss_fn, self.params, batch)
        pull.with_refs(self.slots, jax.ad.DontWant())(jnp.ones_like(loss))  # <-- here
        return loss

    def step(self):
        for group in self.groups:
            for name in group.names:
                self.params[name][...] -= group.lr * self.slots[name][...]


params = {k: jax.new_ref(jnp.ones(2)) for k in ("w1", "w2", "b1")}
opt = Optimizer(params, [Group(["w1"], 0.1), Group(["w2"], 0.01)])
opt.backward(lambda p, x: jnp.sum(p["w2"][...] * jnp.tanh(p["w1"][...] * x + p["b1"][...])), jnp.ones(2))

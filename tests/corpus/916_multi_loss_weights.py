# rule: cotangent-structure
import jax
import jax.numpy as jnp


class MultiTask:
    weights = {"reconstruction": 1.0, "kl": 0.1, "adversarial": 0.01}

    def __init__(self, dim):
        self.params = {"enc": jax.new_ref(jnp.eye(dim)), "dec": jax.new_ref(jnp.eye(dim))}
        self.grads = jax.tree.map(lambda r: jax.new_ref(jnp.zeros_like(r)), self.params)

    def losses(self, params, x):
        z = jnp.tanh(x @ params["enc"][...])
        y = z @ params["dec"][...]
        return {"reconstruction": jnp.mean((x - y) ** 2), "kl": jnp.mean(z ** 2)}

    def backward(self, x):
        losses, pull = jax.vjp(self.losses, self.params, x)
        ct = {name: jnp.float32(w) for name, w in self.weights.items()}
        pull.with_refs(self.grads, jax.ad.DontWant())(ct)  # <-- here
        return losses


MultiTask(2).backward(jnp.ones((3, 2)))

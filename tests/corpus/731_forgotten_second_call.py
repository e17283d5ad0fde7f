# rule: unapplied-with-refs (silent)
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, n):
        self.w = jax.new_ref(jnp.ones(n))
        self.dw = jax.new_ref(jnp.zeros(n))

    def backward(self, x):
        y, back = jax.vjp(lambda w, x: jnp.vdot(w[...], x), self.w, x)
        bound = back.with_refs(self.dw, jax.ad.DontWant())  # <-- here
        return y

    def step(self, x):
        y = self.backward(x)
        self.w[...] -= 0.1 * self.dw[...]
        return y


t = Trainer(2)
t.step(jnp.ones(2))
assert (t.w[...] == 1.0).all()  # nothing was learnt

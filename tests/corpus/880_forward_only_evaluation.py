# rule: none
import jax
import jax.numpy as jnp


class Experiment:
    def __init__(self):
        self.w = jax.new_ref(jnp.ones(2))
        self.pullbacks = []

    def run(self, x, keep=False):
        y, back = jax.vjp(lambda w, x: w[...] * x, self.w, x)
        if keep:
            self.pullbacks.append(back)
        return y

    def gradients(self, ct):
        out = []
        for back in self.pullbacks:
            dw = jax.new_ref(jnp.zeros(2))
            back.with_refs(dw, jax.ad.DontWant())(ct)
            out.append(dw[...])
        return out


e = Experiment()
print(e.run(jnp.ones(2)), e.run(jnp.arange(2.0), keep=True), e.gradients(jnp.ones(2)))

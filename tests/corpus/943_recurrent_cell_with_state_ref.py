# rule: none
import jax
import jax.numpy as jnp


class Recurrent:
    """Keeps its hidden state between calls; differentiated by values."""

    def __init__(self, dim):
        self.w = jnp.eye(dim) * 0.5
        self.hidden = jax.new_ref(jnp.zeros(dim))

    def unroll(self, w, h, xs):
        def cell(h, x):
            h = jnp.tanh(w @ h + x)
            return h, h

        return jax.lax.scan(cell, h, xs)

    def train(self, xs):
        (h, hs), pull = jax.vjp(self.unroll, self.w, self.hidden[...], xs)
        w_bar, *_ = pull((jnp.zeros_like(h), 2.0 * hs))
        self.w = self.w - 0.1 * w_bar
        self.hidden[...] = h
        return hs

    def reset(self):
        self.hidden[...] = jnp.zeros_like(self.hidden)


rnn = Recurrent(2)
for chunk in jnp.ones((2, 3, 2)):
    print(rnn.train(chunk).sum())
rnn.reset()

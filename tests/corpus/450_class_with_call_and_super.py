# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Loss:
    def __init__(self, *refs):
        self.refs = refs

    def primals(self, x):
        return (*self.refs, x)

    def backward(self, x, seed=1.0):
        value, pull = jax.vjp(self.forward, *self.primals(x))
        return value, pull(jnp.full_like(value, seed))  # <-- here


class Hinge(Loss):
    def __init__(self, w, margin=1.0):
        super().__init__(w)
        self.margin = margin

    def forward(self, w, x):
        return jnp.maximum(0.0, self.margin - jnp.vdot(w[...], x))


Hinge(jax.new_ref(jnp.zeros(3)), margin=0.5).backward(jnp.ones(3))

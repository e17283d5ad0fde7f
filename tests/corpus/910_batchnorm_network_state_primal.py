# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


class BatchNorm:
    def __init__(self, name):
        self.name = name

    def init(self, dim):
        return {"mean": jax.new_ref(jnp.zeros(dim)), "var": jax.new_ref(jnp.ones(dim))}

    def __call__(self, state, x, train):
        if train:
            mean = jax.lax.stop_gradient(x.mean(0))
            state["mean"][...] = 0.9 * state["mean"][...] + 0.1 * mean  # <-- cause
        return (x - state["mean"][...]) / jnp.sqrt(state["var"][...] + 1e-5)


class Net:
    def __init__(self):
        self.norms = [BatchNorm("bn1"), BatchNorm("bn2")]
        self.state = {bn.name: bn.init(2) for bn in self.norms}

    def loss(self, w, state, x):
        for bn in self.norms:
            x = jnp.tanh(bn(state[bn.name], x @ w, train=True))
        return jnp.sum(x ** 2)


net = Net()
loss, pull = jax.vjp(net.loss, jnp.eye(2), net.state, jnp.ones((3, 2)))
no_state = jax.tree.map(lambda _: jax.ad.DontWant(), net.state)
w_bar, *_ = pull.with_refs(jax.ad.GradValue(), no_state, jax.ad.DontWant())(1.0)  # <-- here

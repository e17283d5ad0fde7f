# rule: grad-of-ref
import jax
import jax.numpy as jnp


class Calibrator:
    def __init__(self, model, **state):
        self.model = model
        self.state = {k: jax.new_ref(jnp.asarray(v)) for k, v in state.items()}

    def fit(self, data, steps=2, lr=0.01):
        objective = lambda s: sum((self.model(s, x) - y) ** 2 for x, y in data)
        for _ in range(steps):
            value, g = jax.value_and_grad(objective)(self.state)  # <-- here
            for k in g:
                self.state[k][...] -= lr * g[k]
        return value


line = lambda s, x: s["gain"][...] * x + s["offset"][...]
Calibrator(line, gain=1.0, offset=0.0).fit([(0.0, 0.1), (1.0, 1.2)])

import jax
import jax.numpy as jnp


def loss(params, x):
    return jnp.sum((x @ params['w']) ** 2) * params['scale']


class Trainer:
    def __init__(self):
        self.params = {'w': jnp.array([1.0, -1.0]), 'scale': jnp.float32(0.5)}

    def run(self, batches):
        found = []
        for batch in batches:
            batch = batch / 2; y, pull = jax.vjp(
                loss, self.params, batch, saveable_args=False)  # kept on the host
            if y > 0: grads, _ = pull(jnp.ones_like(y)); found.append(grads)
        return found


batches = jnp.arange(8.0).reshape(2, 2, 2)
first, second = Trainer().run(batches)
params = {'w': jnp.array([1.0, -1.0]), 'scale': jnp.float32(0.5)}
# meant: first['w'] == jax.grad(loss)(params, batches[0] / 2)['w']
# meant: second['w'] == jax.grad(loss)(params, batches[1] / 2)['w']

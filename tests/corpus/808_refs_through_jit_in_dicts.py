# rule: none
import jax
import jax.numpy as jnp


def init(key, dim):
    k1, k2 = jax.random.split(key)
    params = {"w1": jax.random.normal(k1, (dim, dim)), "w2": jax.random.normal(k2, (dim, 1))}
    return {k: jax.new_ref(v) for k, v in params.items()}


def predict(params, x):
    return jnp.tanh(x @ params["w1"]) @ params["w2"]


@jax.jit
def train_step(refs, velocity, x, y):
    params = {k: r[...] for k, r in refs.items()}
    loss, grads = jax.value_and_grad(lambda p: jnp.mean((predict(p, x) - y) ** 2))(params)
    for k in refs:
        velocity[k][...] = 0.9 * velocity[k][...] + grads[k]
        refs[k][...] = refs[k][...] - 0.01 * velocity[k][...]
    return loss


refs = init(jax.random.key(1), 3)
velocity = {k: jax.new_ref(jnp.zeros(r.shape, r.dtype)) for k, r in refs.items()}
x, y = jnp.ones((4, 3)), jnp.zeros((4, 1))
losses = [train_step(refs, velocity, x, y) for _ in range(3)]
final = {k: jax.freeze(r) for k, r in refs.items()}
print(losses, predict(final, x))

import jax
import jax.numpy as jnp


def train(batches):
    weights = jax.new_ref(jnp.array([1.0, -1.0]))

    def body(total, batch):
        loss, f_vjp = jax.vjp(lambda w: jnp.mean((batch @ w[...]) ** 2), weights)
        grad, = f_vjp(jnp.ones_like(loss))
        return total + grad, loss

    return jax.lax.scan(body, jnp.zeros(2), batches)


batches = jnp.arange(12.0).reshape(2, 3, 2)
total, losses = train(batches)
# meant: total == sum(jax.grad(lambda w: jnp.mean((b @ w) ** 2))(jnp.array([1.0, -1.0])) for b in batches)

# rule: grad-of-ref
import jax
import jax.numpy as jnp
from jax import lax


def simulate(position, n):
    def potential(q):
        return 0.5 * jnp.sum(q[...] ** 2)

    def step(momentum, _):
        momentum = momentum - 0.1 * jax.grad(potential)(position)  # <-- here
        position[...] += 0.1 * momentum
        return momentum, position[...]

    return lax.scan(step, jnp.zeros(2), None, length=n)


simulate(jax.new_ref(jnp.ones(2)), 5)

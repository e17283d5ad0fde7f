# rule: grad-of-ref
import jax
import jax.numpy as jnp


def gradient_descent(objective, x, *, steps=3, lr=0.1):
    d_objective = jax.grad(objective)
    for _ in range(steps):
        g = d_objective(x)  # <-- here
        if isinstance(x, jax.Ref):
            x[...] = x[...] - lr * g
        else:
            x = x - lr * g
    return x


def bowl(x):
    return jnp.sum((x[...] - 3.0) ** 2)


gradient_descent(bowl, jnp.zeros(2))
gradient_descent(bowl, jax.new_ref(jnp.zeros(2)))

# rule: grad-of-ref
"""Meta-learning: the adapted parameters are refs, the inner loop differentiates them."""
import jax
import jax.numpy as jnp


def model(params, x):
    return params["slope"][...] * x + params["offset"][...]


def task_loss(params, task):
    x, y = task
    return jnp.mean((model(params, x) - y) ** 2)


def adapt(meta, task, steps, lr):
    params = {k: jax.new_ref(v) for k, v in meta.items()}
    for _ in range(steps):
        grads = jax.grad(task_loss)(params, task)  # <-- here
        for k, ref in params.items():
            ref[...] -= lr * grads[k]
    return {k: jax.freeze(r) for k, r in params.items()}


meta = {"slope": jnp.float32(0.5), "offset": jnp.float32(0.0)}
tasks = [(jnp.arange(3.0), jnp.arange(3.0) * a) for a in (1.0, 2.0)]
adapted = [adapt(meta, task, 2, 0.1) for task in tasks]

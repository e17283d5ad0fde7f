# rule: tainted-ref-write
import jax
import jax.numpy as jnp


def record(log, name, value):
    log[name][...] = value  # <-- here


def forward(w, x, log):
    h = jnp.tanh(x @ w)
    record(log, "mean", jax.lax.stop_gradient(h).mean())
    record(log, "std", h.std())
    return h.sum()


log = {"mean": jax.new_ref(0.0), "std": jax.new_ref(0.0)}
grads = jax.grad(forward)(jnp.ones((2, 3)), jnp.ones((4, 2)), log)

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def entropy(logits):
    p = jax.nn.softmax(logits[...])
    return -jnp.sum(p * jnp.log(p))


class Monitor:
    def __init__(self):
        self.history = []

    def differentiate(self, fn, *args):
        out, back = jax.vjp(fn, *args)
        cts, logs = back.with_logs(jnp.ones_like(out))  # <-- here
        self.history.append(logs)
        return cts


monitor = Monitor()
policy_logits = jax.new_ref(jnp.array([0.1, 0.0, -0.4]))
monitor.differentiate(lambda x: jnp.sum(x ** 2), jnp.arange(3.0))
monitor.differentiate(entropy, policy_logits)

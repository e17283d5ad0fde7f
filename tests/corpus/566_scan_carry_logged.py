# rule: tainted-ref-write
import jax
import jax.numpy as jnp


def rollout(policy, s0, log):
    def step(s, t):
        s = s + 0.1 * jnp.tanh(policy * s)
        log[t] = s  # <-- cause
        return s, None

    final, _ = jax.lax.scan(step, s0, jnp.arange(4))  # <-- here
    return final ** 2


log = jax.new_ref(jnp.zeros(4))
print(rollout(0.3, 1.0, log))
jax.value_and_grad(lambda p: rollout(p, 1.0, log))(0.3)

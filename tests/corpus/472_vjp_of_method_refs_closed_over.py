# rule: none
import jax
import jax.numpy as jnp


class HMM:
    def __init__(self, n):
        self.calls = jax.new_ref(0)
        self.log_trans = jnp.log(jnp.full((n, n), 1.0 / n))

    def forward(self, log_trans, log_obs):
        self.calls[...] += 1
        alpha = log_obs[0]
        for row in log_obs[1:]:
            alpha = jax.nn.logsumexp(alpha[:, None] + log_trans, axis=0) + row
        return jax.nn.logsumexp(alpha)

    def grad(self, log_obs):
        ll, back = jax.vjp(self.forward, self.log_trans, log_obs)
        d_trans, d_obs = back(jnp.ones_like(ll))
        return d_trans, d_obs


hmm = HMM(2)
print(hmm.grad(jnp.log(jnp.full((4, 2), 0.5))), hmm.calls)

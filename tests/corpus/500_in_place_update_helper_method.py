# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


class Welford:
    """Running mean and count kept in two refs."""

    def __init__(self, dim):
        self.refs = (jax.new_ref(jnp.zeros(dim)), jax.new_ref(jnp.float32(0)))

    @staticmethod
    def update(refs, x):
        mean, count = refs
        count[...] += 1.0  # <-- cause
        mean[...] += (jax.lax.stop_gradient(x) - mean[...]) / count[...]
        return x - mean[...]


stats = Welford(2)
centred, back = jax.vjp(stats.update, stats.refs, jnp.array([1.0, 3.0]))
_, x_bar = back.with_refs((jax.ad.DontWant(), jax.ad.DontWant()), jax.ad.GradValue())(centred)  # <-- here

# rule: none
import jax
import jax.numpy as jnp


def cumulative_max(xs):
    best = jax.new_ref(jnp.float32(-jnp.inf))
    out = []
    for x in xs:
        best[...] = jnp.maximum(best[...], x)
        out.append(best[...])
    best = best[...]
    return jnp.stack(out) / best, best + 1.0


print(cumulative_max(jnp.array([1.0, 4.0, 2.0])))
state = jax.new_ref(jnp.zeros(2))
state[1] = 5.0
state = jax.freeze(state)
state = state * 2 + jnp.cos(state)
print(state @ state)

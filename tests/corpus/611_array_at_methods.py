# rule: none
import jax
import jax.numpy as jnp


def scatter(table_ref, ids, rows):
    """`table_ref` is only a reference table: an ordinary Array."""
    return table_ref.at[ids].add(rows)


def bump(hist_ref: jax.Array, i: int) -> jax.Array:
    hist_ref = hist_ref.at[i].max(1.0)
    hist_ref += 0.5
    return hist_ref * 2


base = jax.new_ref(jnp.zeros((4, 2)))
base[...] = scatter(base[...], jnp.array([1, 3]), jnp.ones((2, 2)))
print(base.at[1].get() if hasattr(base, "at") else base[1])
print(bump(jnp.zeros(3), 1).max(), base[...].at[0].set(9.0).sum())

# rule: none
import jax
import jax.numpy as jnp


@jax.jit
def update(table, vector):
    row = table.at[0].get()
    table.at[1].set(row + vector.get())
    vector.set(jnp.zeros_like(vector))
    return table.T[...].shape, table.at[1].get().sum()


table, vector = jax.new_ref(jnp.ones((2, 3))), jax.new_ref(jnp.arange(3.0))
print(update(table, vector)[1], table, vector)
view = table.at[0]
view[...] = jnp.full(3, 7.0)
print(table.at[0].get(), view[1])

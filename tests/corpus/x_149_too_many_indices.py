# rule: ref-index
import jax
import jax.numpy as jnp


def cell(board, row, col):
    return board[row, col]  # <-- here


print(cell(jax.new_ref(jnp.zeros((3, 3))), 1, 2))
print(cell(jax.new_ref(jnp.zeros(9)), 1, 2))

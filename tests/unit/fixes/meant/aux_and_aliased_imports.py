from jax import numpy as np, vjp
from jax import new_ref as mutable

table = mutable(np.ones((3, 2)))


def embed(table, ids):
    rows = table[...][ids]
    return np.sum(rows**2), rows


ids = np.array([0, 2, 2])
loss, back, rows = vjp(embed, table, ids, has_aux=True)
table_bar = back(np.ones_like(loss))[0]
# meant: table_bar == np.array([[2.0, 2.0], [0.0, 0.0], [4.0, 4.0]])

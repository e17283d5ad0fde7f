# rule: none
import jax.numpy as jnp


class Frame:
    def __init__(self, **columns):
        self.columns = columns
        self.at = self

    def __getitem__(self, key):
        row, column = key
        return self.columns[column][row]

    def __setitem__(self, key, value):
        row, column = key
        self.columns[column][row] = value


frame = Frame(x=[1.0, 2.0], y_ref=[0.0, 0.0])
frame.at[1, "y_ref"] = frame.at[0, "x"] + 1
x_ref = jnp.zeros(3).at[1].add(frame.at[1, "y_ref"]).at[:2].multiply(2.0)
print(x_ref, x_ref.sum(), -x_ref, x_ref == 0)

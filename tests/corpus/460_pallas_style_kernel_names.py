# rule: none
import numpy as np


def add_kernel(x_ref, y_ref, o_ref):
    o_ref[...] = x_ref[...] + y_ref[...]


def scale_kernel(x_ref, o_ref, *, factor=2.0):
    o_ref[...] = x_ref * factor
    o_ref += 1.0
    for row in x_ref:
        if row.any() == 0:
            break


def launch(kernel, out_shape, *ins):
    out = np.zeros(out_shape)
    kernel(*ins, out)
    return out


x_ref = np.ones((2, 2))
print(launch(add_kernel, (2, 2), x_ref, x_ref))
print(launch(scale_kernel, (2, 2), x_ref), np.sin(x_ref))

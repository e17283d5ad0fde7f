# rule: none
"""A toy reverse mode with its own `new_ref`, `grad`, `vjp` and `Ref`."""
import math


class Ref:
    def __init__(self, value):
        self.value, self.grad = value, 0.0

    def __getitem__(self, key):
        assert key is ...
        return self.value

    def __setitem__(self, key, value):
        self.value = value

    def __mul__(self, other):
        return Ref(self.value * getattr(other, "value", other))


def new_ref(value):
    return Ref(value)


def vjp(fn, *refs):
    out = fn(*refs)
    return out, lambda ct: [ct * math.cos(r[...]) for r in refs]


def grad(fn):
    return lambda *refs: vjp(fn, *refs)[1](1.0)


w = new_ref(0.5)
out, back = vjp(lambda r: math.sin(r[...]), w)
print(back(1.0), grad(lambda r: math.sin(r[...]))(w), (w * 2.0)[...], (new_ref(new_ref(1.0)))[...])

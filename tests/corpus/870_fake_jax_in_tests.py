# rule: none
"""A stand-in for jax, so that the module under test can be tried without it."""
import types


class FakeRef(list):
    def __getitem__(self, key):
        return list.__getitem__(self, 0) if key is ... else list.__getitem__(self, key)

    def __add__(self, other):
        return self[...] + other

    __radd__ = __add__


jax = types.SimpleNamespace(
    new_ref=lambda value: FakeRef([value]),
    vjp=lambda fn, *args: (fn(*args), lambda ct: tuple(ct for _ in args)),
    grad=lambda fn: lambda *args: fn(*args),
)


def step(w, x):
    out, back = jax.vjp(lambda w, x: w[...] * x, w, x)
    return out + w, back(1.0), jax.grad(lambda w: w[...])(w)


print(step(jax.new_ref(2.0), 3.0))

# rule: none
import types

jax = types.SimpleNamespace(
    new_ref=lambda v: [v],
    freeze=tuple,
    vjp=lambda f, *a: (f(*a), lambda ct: tuple(ct for _ in a)),
    grad=lambda f: (lambda x: f(x)),
)

r = jax.new_ref(1.0)
out, back = jax.vjp(lambda r: r[0] * 2, r)
print(back(1.0))
print(jax.grad(lambda r: r + [2.0])(r))
frozen = jax.freeze(r)
again = jax.freeze(r)
for x in r:
    print(x, frozen == again)

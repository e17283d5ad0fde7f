# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def run_chain(fns, refs, x):
    pulls = []
    for fn, ref in zip(fns, refs):
        x, pull = jax.vjp(fn, ref, x)
        pulls.append(pull)
    return x, pulls


fns = (lambda a, x: a[...] * x, lambda b, x: b[...] + x, lambda c, x: x ** c[...])
refs = tuple(map(jax.new_ref, (2.0, 1.0, 3.0)))
y, pulls = run_chain(fns, refs, jnp.float32(0.5))
ct = jnp.ones_like(y)
all_grads = {}
for i, pull in reversed(list(enumerate(pulls))):
    all_grads[i], ct = pull(ct)  # <-- here
print(all_grads)

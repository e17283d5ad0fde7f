# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def pull(back, primals, ct):
    try:
        return back(ct)  # <-- here
    except ValueError:
        refs = [jax.new_ref(jnp.zeros_like(p)) for p in primals]
        back.with_refs(*refs)(ct)
        return [r[...] for r in refs]


w = jax.new_ref(jnp.ones(2))
out, back = jax.vjp(lambda w: jnp.sum(w[...] ** 2), w)
(g,) = pull(back, [w], 1.0)
w[...] -= 0.1 * g

# rule: none
import jax
import jax.numpy as jnp


def evaluate(fn, *args, need_grad=False):
    out, back = jax.vjp(fn, *args)
    if not need_grad:
        return out, None
    return out, back


offset = jax.new_ref(jnp.float32(2.0))
out, back = evaluate(lambda r, x: r[...] * x, offset, 3.0)
assert back is None
out, back = evaluate(lambda x: x ** 2, 3.0, need_grad=True)
if back is not None:
    print(out, back(1.0))

# rule: none
import functools
import jax
import jax.numpy as jnp


@functools.partial(jax.jit, static_argnames="final")
def accumulate(xs, *, final):
    acc = jax.new_ref(jnp.zeros(xs.shape[1:]))
    for x in xs:
        acc[...] += x
    if final:
        result = jax.freeze(acc)
    else:
        acc[...] = acc[...] / xs.shape[0]
        result = acc[...]
    return result


xs = jnp.arange(6.0).reshape(3, 2)
print(accumulate(xs, final=True), accumulate(xs, final=False))

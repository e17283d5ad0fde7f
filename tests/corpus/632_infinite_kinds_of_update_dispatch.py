# rule: none
import operator
import jax
import jax.numpy as jnp

OPS = {
    "set": lambda r, v: operator.setitem(r, ..., v),
    "add": lambda r, v: r.addupdate(v),
    "mul": lambda r, v: jax.ref.set(r, ..., jax.ref.get(r, ...) * v),
    "skip": lambda r, v: None,
}


def interpret(program, ref):
    for op, value in program:
        OPS[op](ref, jnp.full(ref.shape, value, ref.dtype))
    return jax.ref.get(ref, ...)


r = jax.new_ref(jnp.zeros(2))
program = [("set", 2.0), ("add", 1.0), ("mul", 4.0), ("skip", 0.0)]
assert interpret(program, r).tolist() == [12.0, 12.0]
print(jax.jit(interpret, static_argnums=0)(tuple(program), r))

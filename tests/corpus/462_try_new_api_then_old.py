# rule: none
import jax
import jax.numpy as jnp

try:
    make = jax.new_ref
except AttributeError:
    try:
        make = jax.array_ref
    except AttributeError:
        from jax.experimental import mutable_array as make

if hasattr(jax, "freeze"):
    close = jax.freeze
else:
    close = lambda r: r[...]

cell = make(jnp.zeros(3))
cell[1] = 4.0
print(close(cell) + 1.0)

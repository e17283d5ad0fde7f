# rule: ref-returned
import jax
import jax.numpy as jnp


def accumulate(xs):
    acc = jax.new_ref(jnp.zeros(()))
    for x in xs:
        acc[...] += x
    return acc


def running_total(xs):
    return {"total": accumulate(xs), "n": len(xs)}  # <-- cause


fast = jax.jit(running_total)
print(fast([1.0, 2.0, 3.0])["total"][...])  # <-- here

# rule: placeholder-as-gradient
import jax
import jax.numpy as jnp


def report(names, grads):
    for name, g in zip(names, grads):
        print(name, g.shape, g.dtype)  # <-- here


out, back = jax.vjp(lambda w, x: x @ w, jnp.ones((3, 2)), jnp.ones(3))
grads = back.with_refs(jax.ad.GradValue(), jax.ad.DontWant())(out)
report(["w", "x"], grads)

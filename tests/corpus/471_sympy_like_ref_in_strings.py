# rule: none
"""Docs: never write ``back(1.0)`` for ``jax.new_ref`` primals, nor ``jnp.sin(r)``.

>>> r = jax.new_ref(1.0)
>>> jax.grad(f)(r)  # TypeError
"""
import jax
import jax.numpy as jnp

TEMPLATE = """
r = jax.new_ref(jnp.zeros(3))
jnp.sum(r)
"""
EXAMPLES = {"bad": "jax.vjp(f, r)[1](1.0)", "good": "r[...]"}


def explain(kind: str) -> str:
    return EXAMPLES[kind]


print(explain("bad"), TEMPLATE.count("jnp"), jnp.sum(jnp.ones(3)))
compile(TEMPLATE, "<template>", "exec")

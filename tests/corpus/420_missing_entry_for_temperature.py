# rule: with-refs-structure
import jax
import jax.numpy as jnp


def attention(q, k, v, temperature):
    w = jax.nn.softmax(q @ k.T / temperature)
    return (w @ v).sum()


q, k, v = (jnp.ones((3, 2)) * i for i in range(3))
q_bar = jax.new_ref(jnp.zeros_like(q))
total, att_vjp = jax.vjp(attention, q, k, v, 0.5)
wanted = (q_bar, *(jax.ad.GradValue() for _ in "kv"))
att_vjp.with_refs(*wanted)(jnp.ones_like(total))  # <-- here

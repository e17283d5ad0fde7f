# rule: uninstantiated-sentinel (silent)
import jax
import jax.numpy as jnp

backbone = {"conv": jnp.ones((2, 2)), "norm": jnp.ones(2)}
head = jnp.ones(2)


def logits(head, backbone, x):
    return jnp.tanh(x @ backbone["conv"]) * backbone["norm"] @ head


frozen = jax.tree.map(lambda _: jax.ad.DontWant, backbone)
out, back = jax.vjp(logits, head, backbone, jnp.ones(2))
head_bar, backbone_bar, x_bar = back.with_refs(jax.ad.GradValue(), frozen, jax.ad.DontWant())(1.0)  # <-- here
assert jax.tree.leaves(backbone_bar)

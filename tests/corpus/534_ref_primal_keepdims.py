# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def buffer_for(ref):
    return jax.new_ref(jnp.zeros((1, *ref.shape), ref.dtype))


def mixture(logits, x):
    return jax.nn.logsumexp(jax.nn.log_softmax(logits[...]) - x)


logits = jax.new_ref(jnp.zeros(3))
out, pull = jax.vjp(mixture, logits, jnp.arange(3.0))
pull.with_refs(buffer_for(logits), jax.ad.DontWant())(1.0)  # <-- here

# rule: none
import jax
import jax.numpy as jnp
from jax import lax


def beam_search(logits, width):
    steps, vocab = logits.shape
    tokens = jax.new_ref(jnp.zeros((width, steps), jnp.int32))
    scores = jax.new_ref(jnp.zeros(width))

    def step(t, _):
        total = scores[...][:, None] + jax.nn.log_softmax(logits[t])[None]
        best, flat = lax.top_k(total.reshape(-1), width)
        parents, chosen = flat // vocab, flat % vocab
        tokens[...] = tokens[...][parents]
        tokens[:, t] = chosen
        scores[...] = best
        return None

    lax.fori_loop(0, steps, step, None)
    return tokens[...], scores[...]


print(jax.jit(beam_search, static_argnums=1)(jnp.eye(3, 4), 2))

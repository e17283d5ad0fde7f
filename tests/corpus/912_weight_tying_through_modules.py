# rule: ref-aliased
import jax
import jax.numpy as jnp


class Embed:
    def __init__(self, vocab, dim):
        self.table = jax.new_ref(jnp.ones((vocab, dim)) * 0.1)


class Decoder:
    def __init__(self, embed):
        self.out = embed.table  # tied
        self.bias = jax.new_ref(jnp.zeros(embed.table.shape[0]))


class LM:
    def __init__(self):
        self.embed = Embed(5, 2)
        self.decoder = Decoder(self.embed)

    def state(self):
        return {
            "embed": {"table": self.embed.table},
            "decoder": {"out": self.decoder.out, "bias": self.decoder.bias},
        }


@jax.jit
def logits(state, ids):
    h = state["embed"]["table"][ids].mean(0)
    return state["decoder"]["out"][...] @ h + state["decoder"]["bias"][...]


model = LM()
print(logits(model.state(), jnp.array([0, 1])))  # <-- here

# rule: gradient-ref-type
import dataclasses

import jax
import jax.numpy as jnp


@dataclasses.dataclass
class LoraConfig:
    rank: int = 2
    alpha: float = 4.0


def init_lora(cfg, d_in, d_out):
    return {"a": jnp.ones((d_in, cfg.rank)), "b": jnp.zeros((cfg.rank, d_out))}


def init_slots(cfg, d_in, d_out):
    shapes = jax.eval_shape(lambda: init_lora(cfg, d_in, d_out))
    return jax.tree.map(lambda s: jax.new_ref(jnp.zeros(s.shape, s.dtype)), shapes)


def adapted(base, lora, x, scale):
    return x @ (base + scale * lora["a"] @ lora["b"])


cfg = LoraConfig()
lora, slots = init_lora(cfg, 4, 3), init_slots(LoraConfig(rank=8), 4, 3)
y, pull = jax.vjp(adapted, jnp.ones((4, 3)), lora, jnp.ones(4), cfg.alpha / cfg.rank)
skip = jax.ad.DontWant()
pull.with_refs(skip, slots, skip, skip)(jnp.ones_like(y))  # <-- here

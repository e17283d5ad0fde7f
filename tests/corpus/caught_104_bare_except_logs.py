# rule: ref-aliased
import logging

import jax
import jax.numpy as jnp

log = logging.getLogger(__name__)


@jax.jit
def add_into(dst, src):
    dst[...] += src[...]


acc = jax.new_ref(jnp.ones(2))
try:
    add_into(acc, acc)  # <-- here
except Exception:
    log.info("aliased, adding by value", exc_info=True)
    acc[...] += acc[...]
print(acc)

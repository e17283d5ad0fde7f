# rule: none
import copy

import jax
import jax.numpy as jnp
import numpy as np

w = jax.new_ref(jnp.ones(2))
before = w[...]
backup = copy.deepcopy(w)
on_host = np.asarray(w[...])
values = jax.device_get(w[...])
w[...] *= 10.0
assert (before == 1.0).all() and (backup[...] == 1.0).all() and (on_host == 1.0).all()
frozen = jax.freeze(w) + 0.0
print(np.linalg.norm(frozen - values), jnp.stack([before, frozen]), before @ frozen)

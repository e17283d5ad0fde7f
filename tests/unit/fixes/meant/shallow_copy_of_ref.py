from copy import copy

import jax as j
import jax.numpy as jnp

params = j.new_ref(jnp.ones(2))
history = []
for step in range(2):
    best = copy( params ); params[...] = params[...] * 10.0
    history.append(best[...])
# meant: history == [[1.0, 1.0], [10.0, 10.0]]

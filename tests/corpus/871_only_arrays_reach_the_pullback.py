# rule: none
import dataclasses

import jax
import jax.numpy as jnp


@jax.tree_util.register_dataclass
@dataclasses.dataclass
class State:
    params: dict
    step: jax.Ref

    def trainable(self):
        return {k: v[...] for k, v in self.params.items() if not k.startswith("_")}


def loss(p, x):
    return jnp.sum((x * p["w"] + p["b"]) ** 2)


state = State(
    params={"w": jax.new_ref(jnp.ones(2)), "b": jax.new_ref(jnp.zeros(2)), "_ema": jax.new_ref(0.0)},
    step=jax.new_ref(jnp.int32(0)),
)
value, back = jax.vjp(loss, state.trainable(), jnp.arange(2.0))
p_bar, x_bar = back(jnp.ones_like(value))
for k, g in p_bar.items():
    state.params[k][...] -= 0.1 * g
state.step[...] += 1
state = dataclasses.replace(state, params={k: r for k, r in state.params.items()})
print(state.step, jax.tree.map(lambda r: r[...], state))

# rule: none
import jax
import jax.numpy as jnp

state = jax.new_ref(jnp.arange(3.0))
state[0] = 5.0
state = state[...]
state = state + 1.0
print(jnp.sum(state), state.max(), jax.grad(jnp.sum)(state))

for state in (jax.new_ref(1.0), jax.new_ref(2.0)):
    state[...] *= 2.0
state, = [float(s) for s in [state[...]]]
print(state ** 2)

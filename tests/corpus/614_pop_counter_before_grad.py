# rule: none
import jax
import jax.numpy as jnp

state = {"w": jnp.ones(2), "step": jax.new_ref(0), "ema": jax.new_ref(jnp.zeros(2))}
step, ema = state.pop("step"), state.pop("ema")


def loss(p, x):
    return jnp.sum(jnp.log1p(jnp.exp(-p["w"] * x)))


for x in (1.0, -1.0):
    value, grads = jax.value_and_grad(loss)(state, x)
    state = {**state, "w": state["w"] - 0.5 * grads["w"]}
    step[...] += 1
    ema[...] = 0.9 * ema[...] + 0.1 * state["w"]
out, pull = jax.vjp(loss, state, 1.0)
print(pull(1.0)[0], step, ema)

# rule: ref-returned
import jax
import jax.numpy as jnp

trace = jax.new_ref(jnp.zeros(4))


def body(carry, t):
    trace[t] = carry["x"]
    return {"x": carry["x"] * 0.5}, trace  # <-- cause


def run(x0):
    final, traces = jax.lax.scan(body, {"x": x0}, jnp.arange(4))  # <-- here
    return final


run(jnp.float32(8.0))

# rule: none
import jax
import jax.numpy as jnp

ema = {"w": jax.new_ref(jnp.zeros(2)), "b": jax.new_ref(jnp.zeros(()))}


def update_ema(params, decay=0.9):
    detached = jax.lax.stop_gradient(params)
    for name, ref in ema.items():
        ref[...] = decay * ref[...] + (1 - decay) * detached[name]


def loss(params, x):
    update_ema(params)
    target = jax.lax.stop_gradient(x @ ema["w"][...] + ema["b"][...])
    return jnp.mean((x @ params["w"] + params["b"] - target) ** 2)


params = {"w": jnp.ones(2), "b": jnp.float32(1.0)}
print(jax.value_and_grad(loss)(params, jnp.ones((3, 2))), ema)

# rule: none
import jax
import jax.numpy as jnp


def reset(env, seed):
    env["pos"][...] = jnp.sin(seed)
    env["steps"][...] = jnp.int32(0)


def act(env, action):
    env["pos"][...] += action
    env["steps"][...] += 1
    return -jnp.abs(env["pos"][...])


envs = {"pos": jax.new_ref(jnp.zeros(4)), "steps": jax.new_ref(jnp.zeros(4, jnp.int32))}
jax.vmap(reset)(envs, jnp.arange(4.0))
batched_act = jax.vmap(act, in_axes=({"pos": 0, "steps": 0}, None))
for a in (0.1, -0.2):
    reward = batched_act(envs, a)
print(reward, envs["steps"])

# rule: uninstantiated-sentinel (silent)
import jax
import jax.numpy as jnp


def render(scene, camera, pixels):
    return jnp.sum(jnp.tanh(scene + camera * pixels))


scene_bar = jax.new_ref(jnp.zeros(3))
out, back = jax.vjp(render, jnp.ones(3), jnp.float32(0.5), jnp.arange(3.0))
skip = [jax.ad.DontWant] * 2
cts = back.with_refs(scene_bar, *skip)(jnp.ones_like(out))  # <-- here
assert isinstance(cts[2], jax.Array)  # computed, though not wanted

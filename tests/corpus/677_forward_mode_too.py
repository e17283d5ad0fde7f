# rule: tainted-ref-write
import jax
import jax.numpy as jnp

trace = jax.new_ref(jnp.zeros(2))


def pendulum(angle):
    torque = -9.81 * jnp.sin(angle)
    trace[...] = jnp.stack([angle, torque])  # <-- here
    return torque


y, dy = jax.jvp(pendulum, (jnp.float32(0.3),), (jnp.float32(1.0),))

# rule: with-refs-structure
import collections
import jax
import jax.numpy as jnp

Vehicle = collections.namedtuple("Vehicle", "mass drag")


def stopping_distance(v: Vehicle, speed):
    return 0.5 * v.mass * speed ** 2 / (v.drag + 1e-3)


car = Vehicle(mass=jnp.float32(1200.0), drag=jnp.float32(8000.0))
grads = tuple(jax.new_ref(jnp.float32(0.0)) for _ in car)
d, pull = jax.vjp(stopping_distance, car, jnp.float32(20.0))
pull.with_refs(grads, jax.ad.DontWant())(jnp.ones_like(d))  # <-- here

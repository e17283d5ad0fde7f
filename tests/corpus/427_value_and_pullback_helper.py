# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def value_and_pullback(fn, *args, **options):
    return jax.vjp(fn, *args, **options)


def sensitivity_report(fn, point):
    value, pullback = value_and_pullback(fn, *point)
    sens = pullback(jnp.ones_like(value))  # <-- here
    return {"value": value, "sens": sens}


def projectile_range(speed, angle):
    return speed[...] ** 2 * jnp.sin(2.0 * angle) / 9.81


speed = jax.new_ref(jnp.float32(12.0))
print(sensitivity_report(projectile_range, (speed, jnp.float32(0.6))))

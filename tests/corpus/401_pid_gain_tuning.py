# rule: unbound-ref-gradient
"""Tune the gains of a PID loop by differentiating through the plant."""
import jax
import jax.numpy as jnp

DT = 0.05


def simulate(gains, setpoint, n=20):
    kp, ki, kd = gains[0], gains[1], gains[2]
    pos, vel, integ, prev = 0.0, 0.0, 0.0, setpoint
    cost = 0.0
    for _ in range(n):
        err = setpoint - pos
        integ = integ + err * DT
        u = kp * err + ki * integ + kd * (err - prev) / DT
        prev = err
        vel = vel + DT * (u - 0.4 * vel)
        pos = pos + DT * vel
        cost = cost + err ** 2
    return cost * DT


gains = jax.new_ref(jnp.array([2.0, 0.1, 0.05]))
cost, cost_vjp = jax.vjp(simulate, gains, 1.0)
gain_bar, _ = cost_vjp(jnp.ones_like(cost))  # <-- here
gains[...] -= 1e-2 * gain_bar

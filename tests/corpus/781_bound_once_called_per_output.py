# rule: bound-vjp-reused (silent)
import jax
import jax.numpy as jnp


def forward(theta, x):
    return jnp.stack([theta * x, theta ** 2])


out, back = jax.vjp(forward, jnp.float32(3.0), jnp.float32(2.0))
wrt_theta = back.with_refs(jax.ad.GradValue(), jax.ad.DontWant())
first, _ = wrt_theta(jnp.array([1.0, 0.0]))
second, _ = wrt_theta(jnp.array([0.0, 1.0]))  # <-- here
assert first == 2.0 and second == 8.0  # 6 was meant

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

drag, area = jax.new_ref(0.47), 0.3


def drag_force(cd, a, v):
    return 0.5 * 1.225 * cd[...] * a * v ** 2


f, drag_vjp = jax.vjp(drag_force, drag, area, jnp.float32(20.0))
bound = drag_vjp.with_refs()  # <-- here
_, area_bar, v_bar = bound(jnp.ones_like(f))

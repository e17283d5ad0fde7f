# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


def distill(student, teacher, x):
    target = jnp.tanh(teacher[...] @ x)
    teacher[...] = 0.99 * teacher[...] + 0.01 * jax.lax.stop_gradient(student)  # <-- cause
    return jnp.mean((jnp.tanh(student @ x) - target) ** 2)


student, teacher = jnp.full((2, 2), 0.2), jax.new_ref(jnp.eye(2))
gap, gap_vjp = jax.vjp(distill, student, teacher, jnp.ones(2))
student_bar, *_ = gap_vjp.with_refs(jax.ad.GradValue(), jax.ad.DontWant(), jax.ad.DontWant())(1.0)  # <-- here

# rule: none
import jax
import jax.numpy as jnp


@jax.jit
def kalman(zs, q=0.01, r=0.1):
    mean = jax.new_ref(jnp.float32(0.0))
    cov = jax.new_ref(jnp.float32(1.0))

    def filter_step(_, z):
        p = cov[...] + q
        gain = p / (p + r)
        mean[...] += gain * (z - mean[...])
        cov[...] = (1 - gain) * p
        return None, mean[...]

    _, path = jax.lax.scan(filter_step, None, zs)
    return path, jax.freeze(cov)


path, cov = kalman(jnp.array([1.0, 1.1, 0.9]))
print(path + cov)

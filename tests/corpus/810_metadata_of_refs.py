# rule: none
import jax
import jax.numpy as jnp


def describe(name, ref):
    print(f"{name}: {ref.dtype}{list(ref.shape)} ndim={ref.ndim} size={ref.size} len={len(ref)}")
    return jnp.shape(ref), jnp.ndim(ref), jnp.result_type(ref)


kernel = jax.new_ref(jnp.ones((2, 3), jnp.bfloat16))
same = jnp.zeros_like(kernel), jnp.ones_like(kernel), jnp.full_like(kernel, 2), jnp.empty_like(kernel)
print(describe("kernel", kernel), [s.shape for s in same])
print(isinstance(kernel, jax.Ref), kernel, repr(kernel))
jax.block_until_ready(kernel)
total = sum(s.astype(jnp.float32).sum() for s in same[:3]) + kernel[...].sum()
acc = jax.new_ref(jnp.zeros(kernel.shape, jnp.float32))
acc[...] += kernel[...].astype(acc.dtype)
print(total, acc[0], acc[1, 2], acc[:, -1], acc[::2])

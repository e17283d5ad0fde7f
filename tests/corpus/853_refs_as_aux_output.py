# rule: none
import jax
import jax.numpy as jnp


def loss(w, log):
    log[...] = jnp.float32(w.size)
    return jnp.sum(w ** 2), {"log": log, "size": w.size}


log = jax.new_ref(jnp.float32(0))
(value, aux), g = jax.value_and_grad(loss, has_aux=True)(jnp.ones(3), log)
print(value, g, aux["log"][...])
out, back = jax.vjp(lambda x: (log, x * 2.0)[1], 3.0)
print(back(1.0))

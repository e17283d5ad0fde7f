# rule: bound-vjp-crosses-jit
import jax
import jax.numpy as jnp

g = jax.new_ref(jnp.float32(0.0))


@jax.jit
def forward(k):
    y, pull = jax.vjp(jnp.exp, k)
    return y, pull.with_refs(g)  # <-- cause


y, into_g = forward(jnp.float32(0.5))  # <-- here
into_g(y)

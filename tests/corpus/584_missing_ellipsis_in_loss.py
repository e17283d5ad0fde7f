# rule: ref-as-array
import jax
import jax.numpy as jnp


def forward(params, x):
    h = jax.nn.relu(x @ params["w1"][...])
    return h @ params["w2"]  # <-- here


params = {"w1": jax.new_ref(jnp.ones((2, 4))), "w2": jax.new_ref(jnp.ones((4, 1)))}
grads = {k: jax.new_ref(jnp.zeros_like(p)) for k, p in params.items()}
out, back = jax.vjp(forward, params, jnp.ones(2))
back.with_refs(grads, jax.ad.DontWant())(jnp.ones_like(out))

# rule: none
import jax
import jax.numpy as jnp

depth_log = jax.new_ref(jnp.zeros((), jnp.int32))


@jax.checkpoint
def block(w, h):
    return h + jnp.tanh(h @ w)


def deep(ws, h):
    for w in ws:
        h = block(w, h)
        depth_log[...] += 1
    return jnp.mean(h ** 2)


ws = [0.1 * jnp.eye(2) for _ in range(3)]
accs = [jax.new_ref(jnp.zeros_like(w)) for w in ws]
loss, back = jax.vjp(deep, ws, jnp.ones(2))
back.with_refs(accs, jax.ad.DontWant())(jnp.ones_like(loss))
print(depth_log, accs[0][...] + accs[-1][...])

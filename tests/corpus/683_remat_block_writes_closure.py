# rule: tainted-ref-write
import jax
import jax.numpy as jnp

attention_map = jax.new_ref(jnp.zeros((2, 2)))


@jax.checkpoint
def attention(x):
    a = jax.nn.softmax(x @ x.T)
    attention_map[...] = a  # <-- cause
    return a @ x


g = jax.grad(lambda x: attention(x).sum())(jnp.eye(2))  # <-- here

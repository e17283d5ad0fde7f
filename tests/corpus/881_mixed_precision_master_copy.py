# rule: none
import jax
import jax.numpy as jnp


class MixedPrecision:
    def __init__(self, params):
        self.master = jax.tree.map(jax.new_ref, params)
        self.half = jax.tree.map(lambda p: jax.new_ref(p.astype(jnp.bfloat16)), params)
        self.bars = jax.tree.map(lambda p: jax.new_ref(jnp.zeros(p.shape, jnp.bfloat16)), params)

    def backward(self, loss, x):
        value, back = jax.vjp(loss, self.half, x)
        back.with_refs(self.bars, jax.ad.DontWant())(jnp.ones_like(value))
        return value

    def apply(self, lr):
        for k, m in self.master.items():
            m[...] -= lr * self.bars[k][...].astype(m.dtype)
            self.half[k][...] = m[...].astype(self.half[k].dtype)
            self.bars[k][...] = jnp.zeros_like(self.bars[k])


mp = MixedPrecision({"w": jnp.ones(3)})
for _ in range(2):
    mp.backward(lambda p, x: jnp.vdot(p["w"][...], x), jnp.ones(3, jnp.bfloat16))
    mp.apply(0.1)
print(mp.master["w"], mp.half["w"])

# rule: none
import jax
import jax.numpy as jnp


class Schedule:
    step = jax.new_ref(jnp.int32(0))
    base = 0.1
    warmup = staticmethod(lambda t, base=base: base * jnp.minimum(1.0, (t + 1) / 10))

    def __call__(self):
        lr = self.warmup(self.step[...])
        type(self).step[...] += 1
        return lr


actions = {name: (lambda r, f=f: f(r[...])) for name, f in {"sin": jnp.sin, "exp": jnp.exp}.items()}
schedule, angle = Schedule(), jax.new_ref(0.5)
print([float(schedule()) for _ in range(3)], {k: a(angle) for k, a in actions.items()})

# rule: dont-want-written-ref
import jax
import jax.numpy as jnp


class Tracker:
    def __init__(self):
        self.flag = jax.new_ref(jnp.zeros(()))

    def mark(self, flag):
        flag[...] = jnp.ones(())  # <-- cause


tracker = Tracker()


def model(x, flag):
    tracker.mark(flag)
    return jnp.sum(x ** 2)


out, back = jax.vjp(model, jnp.arange(3.0), tracker.flag)
entries = (jax.ad.GradValue(), jax.ad.DontWant())
x_bar, _ = back.with_refs(*entries)(jnp.ones_like(out))  # <-- here

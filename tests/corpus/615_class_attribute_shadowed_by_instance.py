# rule: none
import jax
import jax.numpy as jnp


class Base:
    weight = jax.new_ref(jnp.zeros(2))

    def penalty(self):
        return jnp.sum(self.weight[...] ** 2)


class ArrayModel(Base):
    def __init__(self):
        self.weight = jnp.array([3.0, 4.0])

    def penalty(self):
        return jnp.sum(self.weight ** 2)

    def gradient(self):
        return jax.grad(lambda w: jnp.vdot(w, w))(self.weight)


m = ArrayModel()
print(Base().penalty(), m.penalty(), m.gradient(), m.weight + 1.0)

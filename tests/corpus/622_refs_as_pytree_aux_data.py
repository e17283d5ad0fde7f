# rule: none
import jax
import jax.numpy as jnp


@jax.tree_util.register_pytree_node_class
class Tracked:
    """An array which counts, in a ref carried as aux data, how often it was used."""

    def __init__(self, value, uses):
        self.value, self.uses = value, uses

    def tree_flatten(self):
        return (self.value,), self.uses

    @classmethod
    def tree_unflatten(cls, uses, children):
        return cls(*children, uses)

    def use(self):
        self.uses[...] += 1
        return self.value


t = Tracked(jnp.arange(3.0), jax.new_ref(0))
loss, pull = jax.vjp(lambda t: jnp.sum(t.use() ** 2), t)
(t_bar,) = pull(1.0)
doubled = jax.tree.map(lambda x: 2 * x, t)
print(t_bar.value, doubled.use() + 1.0, t.uses)

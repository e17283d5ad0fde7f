# rule: none
import jax
import jax.numpy as jnp


class RefSet:
    """A set of refs by identity; values are compared only after a read."""

    def __init__(self, *refs):
        self.refs = list(refs)

    def __contains__(self, ref):
        return any(r is ref for r in self.refs)

    def __bool__(self):
        return len(self.refs) > 0

    def __iter__(self):
        return iter(self.refs)

    def count_zeros(self):
        return sum(int(r[...] == 0) for r in self)


a, b, c = (jax.new_ref(i) for i in range(3))
group = RefSet(a, b)
while group:
    ref = group.refs.pop()
    assert ref in (RefSet(a, b)) and c not in group
    if ref is not None and ref[...] == 1:
        print("one")
print(RefSet(a, c).count_zeros())

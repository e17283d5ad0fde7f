# rule: none
import jax
import jax.numpy as jnp


class ParameterStore:
    def __init__(self, **values):
        self._refs = {k: jax.new_ref(jnp.asarray(v)) for k, v in values.items()}

    def __getitem__(self, name):
        return self._refs[name][...]

    def __setitem__(self, name, value):
        self._refs[name][...] = value

    def snapshot(self):
        return {k: self[k] for k in self._refs}

    def __iter__(self):
        return iter(self._refs)

    def __contains__(self, name):
        return name in self._refs


store = ParameterStore(alpha=0.5, beta=1.5)
loss, back = jax.vjp(lambda p: p["alpha"] ** 2 * p["beta"], store.snapshot())
[grads] = back(1.0)
for name in store:
    store[name] = store[name] - 0.1 * grads[name]
print("alpha" in store, store["alpha"] == 0.5, store["beta"] + 1)

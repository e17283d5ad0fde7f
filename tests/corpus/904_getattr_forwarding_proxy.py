# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Lazy:
    """Makes the ref on first use."""

    def __init__(self, make):
        self._make, self._ref = make, None

    def resolve(self):
        if self._ref is None:
            self._ref = self._make()
        return self._ref


class Bank:
    def __init__(self, **makers):
        self.items = {name: Lazy(make) for name, make in makers.items()}

    def __getattr__(self, name):
        return self.items[name].resolve()


bank = Bank(alpha=lambda: jax.new_ref(jnp.float32(0.1)), beta=lambda: jnp.float32(2.0))


def response(alpha, beta, dose):
    return beta * (1.0 - jnp.exp(-alpha[...] * dose))


r, back = jax.vjp(response, bank.alpha, bank.beta, jnp.float32(5.0))
print(r, back(jnp.ones_like(r)))  # <-- here

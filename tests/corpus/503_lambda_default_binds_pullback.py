# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

sigma = jax.new_ref(jnp.float32(0.2))
payoffs = {
    "call": lambda s, st: jnp.maximum(st * jnp.exp(s[...]) - 100.0, 0.0),
    "put": lambda s, st: jnp.maximum(100.0 - st * jnp.exp(s[...]), 0.0),
}
vegas = {}
for name, payoff in payoffs.items():
    price, pull = jax.vjp(payoff, sigma, jnp.float32(99.0))
    vegas[name] = lambda ct=1.0, pull=pull: pull(ct)[0]  # <-- here

print(vegas["call"]())

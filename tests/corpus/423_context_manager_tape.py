# rule: unbound-ref-gradient
import contextlib

import jax
import jax.numpy as jnp


@contextlib.contextmanager
def recorded(fn, *primals):
    value, back = jax.vjp(fn, *primals)
    try:
        yield value, back
    finally:
        del back


def growth(rate, population):
    return population + rate[...] * population * (1.0 - population / 50.0)


rate = jax.new_ref(jnp.float32(0.3))
population = jnp.float32(5.0)
for year in range(3):
    with recorded(growth, rate, population) as (population, back):
        rate_bar, _ = back(jnp.ones_like(population))  # <-- here
        print(year, population, rate_bar)

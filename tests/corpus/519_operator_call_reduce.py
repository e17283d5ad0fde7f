# rule: unbound-ref-gradient
import operator
import jax

viscosity = jax.new_ref(1.8e-5)
re, pull = jax.vjp(lambda mu, rho, v: rho * v / mu[...], viscosity, 1.2, 3.0)
partials = operator.call(pull, 1.0)  # <-- here

# rule: uninstantiated-sentinel (silent)
from jax import ad, vjp
import jax.numpy as jnp

WANT, SKIP = ad.GradValue, ad.DontWant()


def dose_response(emax, ec50, dose):
    return emax * dose / (ec50 + dose)


effect, back = vjp(dose_response, 1.0, 20.0, 35.0)
emax_bar, ec50_bar, _ = back.with_refs(WANT, WANT, SKIP)(1.0)  # <-- here
assert not isinstance(WANT, ad.GradValue)
print(effect, emax_bar, ec50_bar)

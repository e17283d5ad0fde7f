# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def make_pullbacks(theta, x):
    f = lambda t, x: jnp.sum(jnp.exp(-t * x))
    _, by_value = jax.vjp(f, theta[...], x)
    _, by_ref = jax.vjp(lambda t, x: f(t[...], x), theta, x)
    return {"value": by_value, "ref": by_ref}


theta = jax.new_ref(jnp.float32(0.7))
pulls = make_pullbacks(theta, jnp.arange(3.0))
ok = pulls["value"](1.0)
bad = pulls["ref"](1.0)  # <-- here

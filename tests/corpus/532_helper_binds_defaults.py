# rule: rebind-bound-vjp
import jax
import jax.numpy as jnp


def vjp_wanting_first(fn, *primals):
    """Like jax.vjp; only the first argument's gradient is computed."""
    out, back = jax.vjp(fn, *primals)
    skip = [jax.ad.DontWant()] * (len(primals) - 1)
    return out, back.with_refs(jax.ad.GradValue(), *skip)


acc = jax.new_ref(jnp.zeros(3))
out, back = vjp_wanting_first(lambda w, x: jnp.vdot(w, x), jnp.ones(3), jnp.arange(3.0))
back.with_refs(acc, jax.ad.DontWant())(1.0)  # <-- here

# rule: rebind-bound-vjp
import jax
import jax.numpy as jnp


def with_input_grad(vjp_fn, ref):
    return vjp_fn.with_refs(jax.ad.DontWant(), ref)


def with_param_grad(vjp_fn, ref):
    return vjp_fn.with_refs(ref, jax.ad.DontWant())  # <-- here


w, x = jnp.ones((2, 2)), jnp.ones(2)
w_bar, x_bar = jax.new_ref(jnp.zeros_like(w)), jax.new_ref(jnp.zeros_like(x))
y, back = jax.vjp(lambda w, x: jnp.sum(w @ x), w, x)
back = with_input_grad(back, x_bar)
back = with_param_grad(back, w_bar)
back(jnp.ones_like(y))

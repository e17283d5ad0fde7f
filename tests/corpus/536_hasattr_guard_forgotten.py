# rule: rebind-bound-vjp
import jax
import jax.numpy as jnp


def run_backward(pullback, ct, refs=()):
    if refs:
        pullback = pullback.with_refs(*refs)  # <-- here
    return pullback(ct)


def tanh_layer(w, x):
    return jnp.tanh(w * x)


w_bar, x_bar = jax.new_ref(jnp.zeros(2)), jax.new_ref(jnp.zeros(2))
y, back = jax.vjp(tanh_layer, jnp.ones(2), jnp.arange(2.0))
run_backward(back, y)
run_backward(back, y, [w_bar, x_bar])
run_backward(back.with_refs(w_bar, jax.ad.GradValue()), y, [w_bar, x_bar])

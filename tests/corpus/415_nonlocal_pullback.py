# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def make_session(kernel, signal):
    pullback = None

    def run():
        nonlocal pullback
        filtered, pullback = jax.vjp(
            lambda k, s: jnp.convolve(s, k[...], mode="same"), kernel, signal)
        return filtered

    def sensitivity(ct):
        if pullback is None:
            raise RuntimeError("run first")
        kernel_bar, _ = pullback(ct)  # <-- here
        return kernel_bar

    return run, sensitivity


run, sensitivity = make_session(jax.new_ref(jnp.array([0.25, 0.5, 0.25])), jnp.arange(8.0))
filtered = run()
print(sensitivity(filtered - filtered.mean()))

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp

experts = tuple(jax.new_ref(jnp.float32(s)) for s in (0.5, 1.0, 2.0))


def expert(scale, x):
    return jnp.tanh(scale[...] * x).mean()


def run(x):
    pairs = [jax.vjp(expert, e, x) for e in experts]
    outputs, pulls = zip(*pairs)
    return jnp.stack(outputs), pulls


outputs, pulls = run(jnp.linspace(-1.0, 1.0, 5))
gates = jax.nn.softmax(outputs)
bars = list(map(lambda pull, g: pull(g), pulls, gates))  # <-- here

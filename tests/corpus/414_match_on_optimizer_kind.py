# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def rosenbrock(p):
    x, y = p[0], p[1]
    return (1.0 - x) ** 2 + 100.0 * (y - x ** 2) ** 2


def step(kind, p, lr=1e-3):
    value, back = jax.vjp(rosenbrock, p)
    match kind:
        case "sgd":
            scale = lr
        case "normalized" | "ngd":
            scale = lr / (1.0 + abs(float(value)))
        case other:
            raise ValueError(f"unknown optimiser {other}")
    (g,) = back(jnp.float32(scale))  # <-- here
    p[...] = p[...] - g


point = jax.new_ref(jnp.array([-1.2, 1.0]))
for kind in ("sgd", "ngd"):
    step(kind, point)

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Model:
    FIELDS = {"alpha": 0.3, "beta": 0.1}

    def __init__(self):
        for name, value in self.FIELDS.items():
            setattr(self, name, jax.new_ref(jnp.float32(value)))

    def params(self):
        return {name: getattr(self, name) for name in self.FIELDS}


def holt(params, series):
    level, trend, err = series[0], jnp.float32(0.0), 0.0
    a, b = params["alpha"][...], params["beta"][...]
    for y in series[1:]:
        forecast = level + trend
        err = err + (y - forecast) ** 2
        new = a * y + (1 - a) * forecast
        trend = b * (new - level) + (1 - b) * trend
        level = new
    return err


model = Model()
sse, back = jax.vjp(lambda p: holt(p, jnp.array([1.0, 1.3, 1.9, 2.2])), model.params())
(bars,) = back(jnp.ones_like(sse))  # <-- here

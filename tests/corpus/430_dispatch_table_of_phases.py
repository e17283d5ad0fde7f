# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


class Trainer:
    def __init__(self, theta):
        self.theta = theta
        self.phases = {"forward": self.forward, "backward": self.backward}
        self.cache = {}

    def forward(self, batch):
        self.cache["out"], self.cache["back"] = jax.vjp(self.model, self.theta, batch)

    def backward(self, batch):
        ct = 2.0 * (self.cache["out"] - batch)
        self.cache["bars"] = self.cache["back"](ct)  # <-- here

    @staticmethod
    def model(theta, batch):
        return jnp.poly(theta[...])[:2] * batch

    def run(self, *names, batch):
        for name in names:
            self.phases[name](batch)


trainer = Trainer(jax.new_ref(jnp.array([0.5, -1.0])))
trainer.run("forward", "backward", batch=jnp.ones(2))

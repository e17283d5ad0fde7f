# rule: none
import jax
import jax.numpy as jnp


class Classifier:
    def __init__(self, n, classes):
        self.kernel = jax.new_ref(jnp.zeros((n, classes)))
        self.seen = jax.new_ref(0)

    @property
    def weights(self):
        return self.kernel[...]

    def loss(self, kernel, x, label):
        self.seen[...] += 1
        return -jax.nn.log_softmax(x @ kernel)[label]

    def fit(self, x, label):
        loss, back = jax.vjp(self.loss, self.weights, x, label)
        kernel_bar, *_ = back(jnp.ones_like(loss))
        self.kernel[...] -= 0.5 * kernel_bar
        return loss


clf = Classifier(3, 2)
print([clf.fit(jnp.arange(3.0), 1) for _ in range(3)], clf.seen, jnp.argmax(jnp.ones(3) @ clf.weights))

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def classifier(head, images, labels):
    logits = images.reshape(images.shape[0], -1) @ head[...]
    logp = jax.nn.log_softmax(logits)
    loss = -jnp.take_along_axis(logp, labels[:, None], axis=1).mean()
    accuracy = (logits.argmax(1) == labels).mean()
    return loss, {"accuracy": accuracy}


head = jax.new_ref(jnp.zeros((16, 10)))
images = jnp.linspace(0, 1, 3 * 16).reshape(3, 4, 4)
labels = jnp.array([1, 7, 3])
loss, pullback, metrics = jax.vjp(classifier, head, images, labels, has_aux=True)
print(loss, metrics["accuracy"])
cotangents = pullback(jnp.ones_like(loss))  # <-- here

# rule: unbound-ref-gradient
import jax
import jax.numpy as jnp


def segmentation_loss(params, image, mask):
    logits = image * params["scale"][...] + params["offset"][...]
    probs = jax.nn.sigmoid(logits)
    dice = 1.0 - 2.0 * (probs * mask).sum() / (probs.sum() + mask.sum())
    return dice, {"mean_prob": probs.mean(), "pixels": mask.size}


params = {"scale": jax.new_ref(jnp.float32(1.0)), "offset": jax.new_ref(jnp.float32(0.0))}
image = jnp.linspace(-2.0, 2.0, 16).reshape(4, 4)
mask = (image > 0).astype(jnp.float32)
dice, *rest = jax.vjp(segmentation_loss, params, image, mask, has_aux=True)
pullback, metrics = rest
print(metrics)
param_bars = pullback(jnp.ones_like(dice))[0]  # <-- here

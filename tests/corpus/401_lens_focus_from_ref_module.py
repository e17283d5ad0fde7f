# rule: unbound-ref-gradient
"""Focus a thin lens; the focal length lives in a ref."""
import jax.numpy as jnp
import jax.ref as jref
from jax import vjp as pull_back


def image_distance(focal, object_distance):
    f = focal[...]
    return f * object_distance / (object_distance - f)


def defocus(focal, object_distance, sensor=0.055):
    return (image_distance(focal, object_distance) - sensor) ** 2


focal = jref.new_ref(jnp.float32(0.05))
blur, blur_vjp = pull_back(defocus, focal, jnp.float32(0.8))
d_focal, d_distance = blur_vjp(jnp.float32(1))  # <-- here
print(blur, d_focal, d_distance)

# rule: gradient-ref-type
import jax
import jax.numpy as jnp


def conv(kernel, image):
    return jax.lax.conv_general_dilated(
        image, kernel, (1, 1), "SAME", dimension_numbers=("NHWC", "HWIO", "NHWC"))


kernel = jnp.ones((3, 3, 1, 4))  # HWIO
kernel_bar = jax.new_ref(jnp.zeros((4, 1, 3, 3)))  # OIHW, as another framework has it
feature, conv_vjp = jax.vjp(conv, kernel, jnp.ones((1, 8, 8, 1)))
conv_vjp.with_refs(kernel_bar, jax.ad.DontWant())(feature)  # <-- here

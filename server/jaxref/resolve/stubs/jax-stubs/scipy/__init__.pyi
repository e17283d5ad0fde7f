"""jax.scipy: the parts that are declared here."""

from jax.scipy import linalg as linalg
from jax.scipy import special as special

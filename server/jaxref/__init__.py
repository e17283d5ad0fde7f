"""jaxref: a borrow checker for JAX refs."""

__version__ = "0.1.0"

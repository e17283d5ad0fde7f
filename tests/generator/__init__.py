"""Random small programs with refs and VJPs, and what JAX and jaxref say of each."""

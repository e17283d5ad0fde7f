"""The tests' own machinery: JAX as the oracle, and pages of executed examples."""

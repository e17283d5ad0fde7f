"""What JAX's functions do, as registered descriptions."""

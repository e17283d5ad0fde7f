"""What the user is told: the diagnostic as a value, and its renderings."""

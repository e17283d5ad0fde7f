"""Abstract values, refs and aliasing, trees, states."""

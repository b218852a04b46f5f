"""The loop and its only mutable state."""

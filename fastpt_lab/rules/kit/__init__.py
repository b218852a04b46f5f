"""What rules share: finding places, calls, constants and types in originals."""

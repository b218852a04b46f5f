"""Values and text: standard library only, no I/O; everything above is built from these."""

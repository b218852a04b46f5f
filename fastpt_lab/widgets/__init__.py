"""Live views of values; a click becomes a Session method call."""

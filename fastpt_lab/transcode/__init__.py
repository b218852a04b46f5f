"""Original sources in, generated HIP sources out, every place mapped."""

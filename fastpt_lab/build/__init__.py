"""Which compiler, what it was asked, and what it said."""

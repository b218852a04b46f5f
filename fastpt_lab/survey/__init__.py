"""What a project uses, which route fits it, and what will hurt silently."""

"""The only contact with files, processes and the clock."""

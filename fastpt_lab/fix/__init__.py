"""Write accepted actions back to the originals, journalled and undoable."""

"""What the field's tools print, read as values: text in, values out, nothing else touched."""

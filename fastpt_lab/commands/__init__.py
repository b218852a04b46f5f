"""One grammar for the command line and the magics: words in, a value to show out."""

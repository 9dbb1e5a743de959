"""Word vectors, read from files or learnt from the notes at hand."""

"""Runs over a folder, a table or a database of notes: what is read, what is written, and the work between."""

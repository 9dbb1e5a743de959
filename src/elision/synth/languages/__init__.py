"""One module a language: what only that language knows of names, dates, ages, places and numbers."""

"""All that only a language knows, one folder a language."""

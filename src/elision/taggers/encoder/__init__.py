"""A small transformer that was pre-trained on many languages, as a tagger."""

"""Trainable models that tag tokens, and what they are made of."""

"""Walks of three users through the docs, in a new environment: `make walks`."""

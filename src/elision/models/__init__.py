"""Model folders: JSON and plain numbers under a manifest of hashes. Nothing in them can be executed."""

"""CRFsuite: training through it (extra `crfsuite`) and reading its files (no extra)."""

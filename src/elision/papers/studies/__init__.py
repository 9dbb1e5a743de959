"""The papers' experiments as data: which runs, which tables and figures, on which notes; and one engine for all."""

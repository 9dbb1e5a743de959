"""The systems of the five papers, and what only they need. Nothing else imports them."""

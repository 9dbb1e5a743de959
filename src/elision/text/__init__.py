"""Text itself: characters, folded views, tokens, tags, and the loops that are compiled."""

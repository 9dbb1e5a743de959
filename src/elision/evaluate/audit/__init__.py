"""How much may have been missed: how many notes to read, which ones, and what follows from what readers found."""

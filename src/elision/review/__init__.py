"""What people say of what was found: their marks, how far they agree, and what is learnt from them."""

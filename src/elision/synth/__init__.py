"""Notes that nobody wrote, with exact spans.

Grammars say how notes read, a cast who they are about, noise what befalls them.
"""

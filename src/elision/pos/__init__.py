"""Parts of speech: treebanks to learn them from, and the tagger."""

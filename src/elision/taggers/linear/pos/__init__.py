"""Parts of speech: treebanks to learn them from, and the tagger."""

LANGUAGES = ("en", "es", "nl", "zh")  # for these a model comes with elision

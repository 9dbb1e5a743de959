"""Parts of speech: treebanks to learn them from, and the tagger."""

LANGUAGES = ("en", "es", "nl", "zh")  # for these a model comes with elision


def code_of(language: str) -> str:
    """The language itself, without country or script: es for es-MX."""
    return language.replace("_", "-").partition("-")[0].lower()

"""SNOMED's concepts of languages, as OHDSI's own vocabularies use them. Others are not guessed at."""

from __future__ import annotations

LANGUAGES = {"4180186": "en", "4182511": "es", "4182503": "nl", "4182948": "zh", "4180190": "fr"}
CONCEPTS = {language: concept for concept, language in LANGUAGES.items()}

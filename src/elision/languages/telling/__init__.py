"""Which language a note is in, of all that are written in hospitals; some are ours, in the others it is held.

tell("Pt seen by Dr. Roe")     Told("en", .95)
tell("Die Patientin klagt über Schmerzen")  Told("", guess="de"): it must not go to a pack
"""

from __future__ import annotations

from dataclasses import dataclass

from elision.languages.base import shipped, with_model

# How each language is told that can be: by its words in Latin letters, or by its characters. One without a model waits
# for it. One that ELISION_LANGUAGES adds was in no test that tells languages apart: it counts where somebody says it.
TOLD_BY = {code: by for code in with_model() if (by := shipped()[code].table("language").get("told"))}
LANGUAGES = tuple(TOLD_BY)
NOT_SUPPORTED, NOT_TOLD = "language-not-supported", "language-not-told"
NOT_READ = "language-not-read"  # no pack, and an encoder that knows too few of the words


@dataclass(frozen=True, slots=True)
class Told:
    """What a text tells: its language if that is one of ours, or a guess, and how sure that is, from 0 to 1."""

    language: str = ""
    sure: float = 0.0
    also: tuple[str, ...] = ()  # further languages of ours that parts of it are in
    guess: str = ""  # the likeliest language of a text that is in none of ours, "?" for one that we do not know
    wordless: bool = False  # digits and punctuation alone, in no language

    @property
    def problem(self) -> str:
        """Why the note is held, "" if it is not."""
        if self.language or self.wordless:
            return ""
        return f"{NOT_SUPPORTED}: {self.guess.rstrip('?')}?" if self.guess else NOT_TOLD


def tell(text: str) -> Told:
    """The languages that a text is in."""
    from elision.languages.telling.telling import told  # with numpy and a file of 1.4 MB

    return told(text)

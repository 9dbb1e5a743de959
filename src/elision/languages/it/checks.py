"""Numbers of Italy and Switzerland that end in a check character."""

from __future__ import annotations

import re

_LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZ"
_ODD = (1, 0, 5, 7, 9, 13, 15, 17, 19, 21, 2, 4, 18, 20, 11, 3, 6, 8, 12, 14, 16, 10, 22, 25, 24, 23)
_LIKE = dict(zip("LMNPQRSTUV", "0123456789", strict=True))  # letters for digits where two people would share a code
_SHAPE = re.compile(r"[A-Z]{6}[\dL-NP-V]{2}[A-EHLMPRST][\dL-NP-V]{2}[A-Z][\dL-NP-V]{3}[A-Z]")


def _plain(text: str) -> str:
    return re.sub(r"[^0-9A-Za-z]", "", text).upper()


def _digits(text: str) -> list[int]:
    return [int(character) for character in text if "0" <= character <= "9"]


def codice_fiscale(text: str) -> bool:
    """The tax code of a person: the last letter weighs the fifteen before it."""
    plain = _plain(text)
    if not _SHAPE.fullmatch(plain):
        return False
    values = [_LETTERS.index(one) if one in _LETTERS else int(one) for one in plain[:15]]
    total = sum(_ODD[value] if at % 2 == 0 else value for at, value in enumerate(values))
    return _LETTERS[total % 26] == plain[15]


def codice_fiscale_shape(text: str) -> bool:
    """One that is a tax code but for its last letter: day and month must be there."""
    plain = _plain(text)
    if not _SHAPE.fullmatch(plain):
        return False
    day = int("".join(_LIKE.get(one, one) for one in plain[9:11]))
    return 1 <= day <= 31 or 41 <= day <= 71


def partita_iva(text: str) -> bool:
    """The number of firms: eleven digits, every second one doubled."""
    digits = _digits(text)
    if len(digits) != 11 or not any(digits):
        return False
    total = sum(digits[:10:2]) + sum(sum(divmod(2 * digit, 10)) for digit in digits[1:10:2])
    return -total % 10 == digits[10]


def ahv(text: str) -> bool:
    """The Swiss number of social security: 756, nine digits, and a check digit as on goods."""
    digits = _digits(text)
    if len(digits) != 13 or digits[:3] != [7, 5, 6]:
        return False
    return -sum(digit * (1, 3)[at % 2] for at, digit in enumerate(digits[:12])) % 10 == digits[12]


CHECKS = {
    "it-codice-fiscale": codice_fiscale,
    "it-codice-fiscale-shape": codice_fiscale_shape,
    "it-partita-iva": partita_iva,
    "ch-ahv": ahv,
}

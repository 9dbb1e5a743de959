"""What Chinese knows of telephone numbers."""

from __future__ import annotations

from elision.languages.phones import Phones


def _home(digits: str, zeros: int, _country: str) -> tuple[str, int]:
    return ("86" if len(digits) == 11 and digits[0] == "1" else ""), zeros


PHONES = Phones(home=_home)

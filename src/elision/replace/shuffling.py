"""Names of a list dealt out anew: each goes to another one, and no two to the same.

The key decides the order of the list, and a name becomes the one behind it. So it is the same in all notes of a
project, whichever are read together. Names that stand in the note are passed over, as they are replaced there.
"""

from __future__ import annotations

from functools import lru_cache

from elision.keys import Secret
from elision.replace.choices import Scope
from elision.replace.words import plain, tidy


def dealt(text: str, scope: Scope, among: tuple[str, ...]) -> str | None:
    """The name that this one becomes; None if it is not in the list, or no other one may stand here."""
    order, places = _order(scope.secret, among)
    said = _key(text)
    if said not in places:
        return None
    at = places[said]
    behind = (*order[at + 1 :], *order[:at])
    return next((name for name in behind if not scope.forbidden(name)), None)


def _key(name: str) -> str:
    return " ".join(plain(tidy(name)).split())


@lru_cache(maxsize=8)
def _order(secret: Secret, among: tuple[str, ...]) -> tuple[tuple[str, ...], dict[str, int]]:
    """The names as the key orders them, and the place of each."""
    names = {_key(name): name for name in among}
    keys = sorted(names, key=lambda key: secret.number("shuffle", key))
    return tuple(names[key] for key in keys), {key: at for at, key in enumerate(keys)}

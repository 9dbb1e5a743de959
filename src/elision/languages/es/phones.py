"""What Spanish knows of telephone numbers."""

from __future__ import annotations

from elision.languages.phones import Phones

PHONES = Phones(("cero", "uno", "dos", "tres", "cuatro", "cinco", "seis", "siete", "ocho", "nueve"))

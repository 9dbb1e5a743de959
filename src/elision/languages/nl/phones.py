"""What Dutch knows of telephone numbers."""

from __future__ import annotations

from elision.languages.phones import Phones

PHONES = Phones(("nul", "een", "twee", "drie", "vier", "vijf", "zes", "zeven", "acht", "negen"), {"één": 1})

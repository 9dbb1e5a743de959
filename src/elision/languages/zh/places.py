"""What Chinese knows of places."""

from __future__ import annotations

import re

from elision.languages.places import Places

PLACES = Places(postcode=re.compile(r"(?<!\d)\d{6}(?!\d)"))

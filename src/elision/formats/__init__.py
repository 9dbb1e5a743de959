"""Reading and writing notes in the formats of corpora, annotation tools and hospital systems."""

from __future__ import annotations

from elision.formats.catalogue import FORMATS, format_named, guess
from elision.formats.convert import read, write
from elision.formats.format import Format, Reading, Remarks

__all__ = ["FORMATS", "Format", "Reading", "Remarks", "format_named", "guess", "read", "write"]

"""Dates: read in the form in which they stand, moved by days, or made coarser."""

from elision.replace.dates.reading import Given, Written, read
from elision.replace.dates.rendering import date_of, month_year, year_only, years_in
from elision.replace.dates.shifting import days_of, is_relative, shifted

__all__ = [
    "Given",
    "Written",
    "date_of",
    "days_of",
    "is_relative",
    "month_year",
    "read",
    "shifted",
    "year_only",
    "years_in",
]

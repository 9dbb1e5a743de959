"""Small lists and patterns that the presets bring along: facts, written down by us."""

from __future__ import annotations

from collections.abc import Mapping

_MONTHS = """January February March April May June July August September October November December Jan Feb Mar Apr Jun
Jul Aug Sep Sept Oct Nov Dec Monday Tuesday Wednesday Thursday Friday Saturday Sunday enero febrero marzo abril mayo
junio julio agosto septiembre setiembre octubre noviembre diciembre"""
_STATES = (
    "Alabama", "Alaska", "Arizona", "Arkansas", "California", "Colorado", "Connecticut", "Delaware", "Florida",
    "Georgia", "Hawaii", "Idaho", "Illinois", "Indiana", "Iowa", "Kansas", "Kentucky", "Louisiana", "Maine",
    "Maryland", "Massachusetts", "Michigan", "Minnesota", "Mississippi", "Missouri", "Montana", "Nebraska",
    "Nevada", "New Hampshire", "New Jersey", "New Mexico", "New York", "North Carolina", "North Dakota", "Ohio",
    "Oklahoma", "Oregon", "Pennsylvania", "Rhode Island", "South Carolina", "South Dakota", "Tennessee", "Texas",
    "Utah", "Vermont", "Virginia", "Washington", "West Virginia", "Wisconsin", "Wyoming", "District of Columbia",
    "AL", "AK", "AZ", "AR", "CA", "CO", "CT", "DE", "FL", "GA", "HI", "ID", "IL", "IN", "IA", "KS", "KY", "LA",
    "ME", "MD", "MA", "MI", "MN", "MS", "MO", "MT", "NE", "NV", "NH", "NJ", "NM", "NY", "NC", "ND", "OH", "OK",
    "OR", "PA", "RI", "SC", "SD", "TN", "TX", "UT", "VT", "VA", "WA", "WV", "WI", "WY", "DC",
)  # fmt: skip
_COUNTRIES = (
    "Afghanistan", "Albania", "Algeria", "Argentina", "Armenia", "Australia", "Austria", "Bangladesh", "Belgium",
    "Bolivia", "Brazil", "Bulgaria", "Cambodia", "Canada", "Chile", "China", "Colombia", "Croatia", "Cuba",
    "Cyprus", "Denmark", "Ecuador", "Egypt", "Estonia", "Ethiopia", "Finland", "France", "Germany", "Ghana",
    "Greece", "Guatemala", "Haiti", "Honduras", "Hungary", "Iceland", "India", "Indonesia", "Iran", "Iraq",
    "Ireland", "Israel", "Italy", "Jamaica", "Japan", "Jordan", "Kenya", "Korea", "Kuwait", "Latvia", "Lebanon",
    "Liberia", "Libya", "Lithuania", "Malaysia", "Malta", "Mexico", "Morocco", "Nepal", "Netherlands",
    "New Zealand", "Nicaragua", "Nigeria", "Norway", "Pakistan", "Panama", "Paraguay", "Peru", "Philippines",
    "Poland", "Portugal", "Romania", "Russia", "Saudi Arabia", "Senegal", "Serbia", "Singapore", "Slovakia",
    "Slovenia", "Somalia", "South Africa", "Spain", "Sri Lanka", "Sudan", "Sweden", "Switzerland", "Syria",
    "Taiwan", "Thailand", "Tunisia", "Turkey", "Uganda", "Ukraine", "United Kingdom", "Uruguay", "Venezuela",
    "Vietnam", "Yemen", "Zimbabwe", "España", "Francia", "Italia", "Alemania", "Marruecos",
)  # fmt: skip

PLACES_AND_DATES: Mapping[str, tuple[str, ...]] = {
    "state": _STATES,
    "country": _COUNTRIES,
    "date": tuple(_MONTHS.split()),
}

TITLES = (
    "Dr", "Dr.", "Dra", "Dra.", "Mr", "Mr.", "Mrs", "Mrs.", "Ms", "Ms.", "Miss", "Prof", "Prof.", "Professor", "Doctor",
    "Sir", "Lady", "Rev", "Rev.", "Sr.", "Sra.", "Don", "Doña", "Drs.", "Dhr.", "Mevr.", "Mw.", "MD", "M.D.", "PhD",
    "Ph.D.", "RN", "R.N.",
)  # fmt: skip

_MONTH = (
    r"(?:[Jj]an(?:uary)?|[Ff]eb(?:ruary)?|[Mm]ar(?:ch)?|[Aa]pr(?:il)?|[Mm]ay|[Jj]une?|[Jj]uly?|[Aa]ug(?:ust)?|"
    r"[Ss]ept?(?:ember)?|[Oo]ct(?:ober)?|[Nn]ov(?:ember)?|[Dd]ec(?:ember)?)\b\.?"
)
_DAY = r"(?:0?[1-9]|[12]\d|3[01])"
_YEAR = r"(?:\d{4}|'?\d{2})"

PATTERNS: Mapping[str, tuple[str, ...]] = {
    "date": (
        rf"\b(?:0?[1-9]|1[0-2])[/.-]{_DAY}(?:[/.-]{_YEAR})?\b",  # 12/31/2020 and 12/31, the American way
        rf"\b{_DAY}[/.-](?:0?[1-9]|1[0-2])[/.-]{_YEAR}\b",  # 31/12/2020, the Australian way
        r"\b\d{4}[/.-](?:0?[1-9]|1[0-2])[/.-](?:0?[1-9]|[12]\d|3[01])\b",
        rf"\b{_DAY}(?:st|nd|rd|th)?[ -]?{_MONTH}(?:,?[ -]?{_YEAR}\b)?",
        rf"\b{_MONTH} ?{_DAY}(?:st|nd|rd|th)?\b(?:,? {_YEAR}\b)?",
    ),
    "phone": (
        r"(?:\+?\b1[ .-]?\(?|\(|\b)\d{3}\)?[ .-]?\d{3}[ .-]\d{4}\b",  # American
        r"(?:\+61 ?|\(0|\b0)[2378]\)?[ -]?\d{4}[ -]?\d{4}\b",  # Australian, by area
        r"(?:\+61 ?4|\b04)\d{2}[ -]?\d{3}[ -]?\d{3}\b",  # Australian, mobile
        r"\b(?:13 ?\d{2} ?\d{2}|1[38]00[ -]?\d{3}[ -]?\d{3})\b",
    ),
    "id": (
        r"\b\d{3}-\d{2}-\d{4}\b",  # a social security number
        r"\b[A-Za-z]{1,4}[ -]?\d{5,12}\b",
        r"\b\d{6,14}\b",
        r"\b\d{2}[A-Z]{1,3}\d{3,8}\b",
    ),
    "age": (
        r"\b\d{1,3}[ -]?(?:years?|yrs?|y)\b[ -]?(?:old|o)?",
        r"\b\d{1,3} ?[yY]\.?/?[oO]\b",
        r"\b[Aa]ged?:? {0,3}\d{1,3}\b",
    ),
    "postcode": (
        r"\b[A-Z]{2} {1,2}\d{5}(?:-\d{4})?\b",  # MA 02115
        r"\b(?:NSW|VIC|QLD|SA|WA|TAS|ACT|NT) {1,2}\d{4}\b",  # NSW 2015
    ),
    "title": (r"\b(?:Dr|Mr|Mrs|Ms|Prof|Miss|Sir|Rev)\b\.? ?(?:\p{Lu}[\pL'-]{1,30})?(?: \p{Lu}[\pL'-]{1,30})?",),
}

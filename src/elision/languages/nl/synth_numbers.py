"""Dates, telephone numbers and identifiers as the Netherlands and Belgium write them."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date


def _season(day: date) -> str:
    return ("winter", "voorjaar", "zomer", "najaar")[day.month % 12 // 3]


TOKENS: Mapping[str, Callable[[date], str]] = {
    "WEEKNR": lambda day: str(day.isocalendar().week),
    "SEASON": _season,
    "QUARTER": lambda day: str((day.month + 2) // 3),
    "MONTHPART": lambda day: ("begin", "half", "eind")[min(2, (day.day - 1) // 11)],
}

DATES: Mapping[str, tuple[str, ...]] = {
    "full": (
        "10: DD-MM-YYYY", "4: D-M-YYYY", "3: DD-MM-YY", "2: D-M-YY", "4: DD/MM/YYYY", "2: D/M/YYYY", "2: DD/MM/YY",
        "1.5: D/M/YY", "2: DD.MM.YYYY", "DD.MM.YY", "D.M.YYYY", "4: D Month YYYY", "1.5: D Mon YYYY",
        "0.7: DD-Mon-YYYY", "1.5: YYYY-MM-DD", "0.4: DD - MM - YYYY", "0.4: DDMMYYYY", "0.4: D-M-'YY", "0.3: D-Mon-YY",
        "0.3: YYYY/MM/DD",
    ),
    "numeric": (
        "6: DD-MM-YYYY", "2: D-M-YYYY", "2: DD-MM-YY", "3: DD/MM/YYYY", "DD/MM/YY", "DD.MM.YYYY", "D/M/YY",
    ),
    "short": (
        "4: D-M", "4: DD-MM", "4: D/M", "3: DD/MM", "D.M", "2: D Month", "D Mon",
    ),
    "no_year": (
        "4: D Month", "2: DD-MM", "2: D/M", "D-M", "Dth Month", "D Mon", "0.5: D Mon.", "0.6: DD Month",
    ),
    "long": (
        "6: D Month YYYY", "DD Month YYYY", "Dth Month YYYY", "D Mon YYYY", "0.5: D Month, YYYY", "0.4: D MONTH YYYY",
    ),
    "iso": (
        "3: YYYY-MM-DD", "YYYYMMDD", "YYYY/MM/DD",
    ),
    "month_year": (
        "5: Month YYYY", "2: MM-YYYY", "2: MM/YYYY", "M-YYYY", "Mon YYYY", "Mon 'YY", "Mon. YYYY",
        "MONTHPART Month YYYY", "SEASON YYYY", "Month 'YY", "0.6: QQUARTER YYYY", "0.6: week WEEKNR YYYY",
    ),
    "month": (
        "4: Month", "MONTHPART Month", "MONTHPART Mon", "0.5: Mon",
    ),
    "year": (
        "9: YYYY", "'YY", "eind YYYY", "begin YYYY", "SEASON YYYY", "SEASON van YYYY",
    ),
    "with_weekday": (
        "3: Weekday D Month YYYY", "3: Weekday D Month", "2: Weekday DD-MM-YYYY", "2: Wday DD-MM", "Wday D/M",
        "Wday D Month", "Weekday D/M", "Wday. D Mon", "Weekday DD/MM/YY",
    ),
    "weekday": (
        "8: Weekday", "2: Weekdayochtend", "2: Weekdaymiddag", "2: Weekdayavond", "Weekdaynacht", "0.7: Weekdays",
    ),
    "joint": (
        "3: -", "2: _-_", "3: _t/m_", "_tot_", "_tot en met_", "_en_", "_/_",
    ),
}  # fmt: skip

DATES_BE: Mapping[str, tuple[str, ...]] = {
    **DATES,
    "full": (
        "10: DD/MM/YYYY", "4: D/M/YYYY", "3: DD/MM/YY", "2: D/M/YY", "3: DD-MM-YYYY", "2: DD.MM.YYYY", "D Month YYYY",
        "3: D Month YYYY", "D-M-YYYY", "YYYY-MM-DD", "0.4: DDMMYYYY",
    ),
}  # fmt: skip

CODES_NL: Mapping[str, tuple[str, tuple[str, ...]]] = {
    "mrn": ("MEDICAL_RECORD", (
        "6: %######", "2: %#####", "2: %#######", "2: %## ## ##", "?%#####", "??-%####", "%#####-?", "00%#####",
        "%###.%###", "P%######", "C-%####", "%####/####", "??/20##/%####", "%####",
    )),
    "encounter": ("ENCOUNTER_ID", (
        "4: %#######", "2: ##-%#####", "2: O%######", "%#########", "?%########", "####.%####", "20##-%####",
    )),
    "accession": ("ENCOUNTER_ID", (
        "4: T##-%####", "2: %#######", "2: C##-#####", "H##.%#####", "##?%#####", "RX%######", "##.####.%###",
    )),
    "ssn": ("NATIONAL_ID", (
        "8: @nl_bsn #########", "2: @nl_bsn ####.##.###", "2: @nl_bsn ### ### ###", "@nl_bsn ###.###.###",
        "@nl_bsn #### ## ###",
    )),
    "bsn": ("NATIONAL_ID", (
        "8: @nl_bsn #########", "2: @nl_bsn ####.##.###", "2: @nl_bsn ### ### ###", "@nl_bsn ###.###.###",
    )),
    "document": ("NATIONAL_ID", ("3: [NIS]???#%##%", "??%?#?###", "%## ### ####", "I??%?%###",)),
    "health_plan": ("HEALTH_PLAN", (
        "4: %########", "2: %#########", "##.%###.###", "?-%######", "%### %### ##", "80528 %#### %#### %####",
    )),
    "npi": ("LICENSE", ("2: %9########", "1: %#########0#", "19#########",)),
    "license": ("LICENSE", (
        "4: 19#########", "3: 99#########", "2: 9##########", "01-0#####", "0100####", "%9 #### ## ###",
    )),
    "account": ("ACCOUNT", (
        "4: @iban_nl #### #### #### #### ##", "3: @iban_nl ##################", "##.##.##.###", "20##-#####", "%####",
    )),
    "vehicle": ("VEHICLE", (
        "2: [GHJKLNPRSTX]-###-[BDFGHJKLN]?", "2: ##-??-[BDFGHJKLN]#", "2: [GHJKLNPRSTXZ]?-###-?",
        "##-[GHJKLNPRSTX]??-#", "#-[GHJKLNPRSTX]??-##",
    )),
    "device": ("DEVICE", ("3: %#######", "2: ???%######", "??-%####-?", "SN%######", "%#?####", "HT%#.###.?",)),
    "other_id": ("ID_OTHER", (
        "3: 20##-%####", "2: %######", "2: ??-%####", "???/20##/###-?", "Z%#######", "?##.%#####", "20##/%###",
    )),
    "job": ("ID_OTHER", ("3: %#######", "%#####", "#-%######", "??%####",)),
    "phone": ("PHONE", (
        "4: 0##-%######", "3: 0%##-%#####", "2: 0## %## ## ##", "(0%##) %# ## ##", "(0##) %## ## ##",
        "0## - %## ## ##", "088-%## ## ##", "088 %## ####", "0#########", "+31 %# %######", "0%## - %#####",
        "+31(0)%##-%#####",
    )),
    "phone:mobile": ("PHONE", (
        "6: 06-[1-5]#######", "4: 06[1-5]#######", "3: 06 [1-5]# ## ## ##", "2: 06-[1-5]# ## ## ##",
        "+31 6 [1-5]#######", "+316[1-5]#######", "06 - [1-5]#######", "06-[1-5]### ####", "06.[1-5]#.##.##.##",
        "06-[1-5]#-##-##-##",
    )),
    "phone:ext": ("PHONE", ("3: ####", "2: #####", "###", "%-###", "%# ###",)),
    "pager": ("PHONE", ("4: ####", "3: ###", "%-###", "#####",)),
    "fax": ("FAX", ("3: 0##-%######", "2: 0%##-%#####", "088 %######", "(0##) %## ## ##",)),
}  # fmt: skip

CODES_BE: Mapping[str, tuple[str, tuple[str, ...]]] = {
    **CODES_NL,
    "ssn": ("NATIONAL_ID", (
        "6: @be_national ##.##.##-###.##", "3: @be_national ###########", "@be_national ##.##.## ### ##",
        "@be_national ######-###-##",
    )),
    "bsn": ("NATIONAL_ID", (
        "6: @be_national ##.##.##-###.##", "3: @be_national ###########", "@be_national ###### ### ##",
    )),
    "document": ("NATIONAL_ID", ("591-#######-##", "592-#######-##", "E?%######",)),
    "npi": ("LICENSE", ("1-%####-##-###", "4-%####-##-###",)),
    "license": ("LICENSE", ("4: 1-%####-##-###", "2: 1/%####/##/###", "1.%####.##.###", "1%#########",)),
    "account": ("ACCOUNT", (
        "4: @iban_be #### #### #### ####", "2: @iban_be ################", "###-#######-##", "+++###/####/#####+++",
    )),
    "vehicle": ("VEHICLE", ("4: [12]-???-###", "???-###", "[12]???###",)),
    "phone": ("PHONE", (
        "3: 0#/%##.##.##", "3: 0## ## ## ##", "2: 0##/%#.##.##", "0# %## ## ##", "0##/%## ###", "+32 %# %## ## ##",
        "0%#######", "070 ### ###",
    )),
    "phone:mobile": ("PHONE", (
        "4: 04##/##.##.##", "3: 04## ## ## ##", "2: 04##/## ## ##", "04########", "+32 4## ## ## ##",
        "0032 4## ######", "04##/######",
    )),
    "fax": ("FAX", ("0#/%##.##.##", "0## ## ## ##", "+32 %# %## ## ##",)),
}  # fmt: skip

"""What policies leave of ages, years, places, feasts and titles: as much as says nothing of anybody, and no more."""

from __future__ import annotations

import time
from datetime import date

import pytest

from elision.document import Document, Span
from elision.errors import PolicyError
from elision.keys import Key
from elision.pipeline import Deidentifier
from elision.policy import parse
from elision.replace import long_lives
from elision.rules import Rules
from tests.notes import note
from tests.replace.generated import gold

KEY = Key(bytes(range(32)))


def cleaned(marked: str, policy: str = "safe-harbor", language: str = "en") -> str:
    """A marked note as a policy leaves it, whose spans alone are what is found."""
    written = note(marked)
    document = Document(written.text, "n", language=language, spans=written.spans)
    return Deidentifier([gold], policy=policy, key=KEY, memory=False).note(document).text


SAFE_HARBOR = [
    ("Admitted [DATE 3 May 2001], aged [AGE 65]", "Admitted 2001, aged 65"),
    ("Admitted [DATE 3 May], in [STATE Ohio]", "Admitted [DATE], in Ohio"),
    ("aged [AGE 89], [AGE 90] and [AGE 101]", "aged 89, 90+ and 90+"),
    ("[AGE 91], born [DATE_BIRTH 3 May 1910]", "90+, born [DATE]"),
    ("seen [DATE 3 May 2001], born [DATE 1911]", "seen 2001, born [DATE]"),
    ("seen [DATE 3 May 2001], born [DATE_BIRTH 1972]", "seen 2001, born 1972"),
    ("seen [DATE 3 May 2001], born [DATE_BIRTH 1912]", "seen 2001, born [DATE]"),  # nobody is 114
    ("born [DATE 1921]. Doing well.", "born [DATE]. Doing well."),
    ("aged [AGE 95]; retired in [DATE 1994]", "aged 90+; retired in [DATE]"),
    (
        "aged [AGE 95]; seen [DATE 3 May 2020] and [DATE 2019], hip in [DATE 2003]",
        "aged 90+; seen 2020 and 2019, hip in [DATE]",
    ),
    ("married [DATE 1935], still at home", "married [DATE], still at home"),
    ("casada en [DATE 1946]", "casada en [DATE]"),
    ("met pensioen sinds [DATE 1979]", "met pensioen sinds [DATE]"),
    ("married [DATE 1996]; retired [DATE 2019]; TB in [DATE 1946]", "married 1996; retired 2019; TB in 1946"),
    ("[CITY Leeds] [ZIP 10025] [ZIP 03601]", "[CITY] 100 000"),
    ("TB in [DATE 1946], married [DATE 1946]", "TB in [DATE], married [DATE]"),  # nor by what stands beside another
    ("seen [DATE 1946]; on that day in [DATE 1946] he married", "seen 1946; on that day in [DATE] he married"),
    ("She was born in [DATE '21]. Well.", "She was born in [DATE]. Well."),  # in 1921?
    ("DOB: [DATE_BIRTH 3/5/21]", "DOB: [DATE]"),
    ("DOB: [DATE_BIRTH 3/5/05]", "DOB: 2005"),  # nobody is 121
    ("class of [DATE '38]", "class of [DATE]"),
    ("TB in [DATE '32]", "TB in [DATE]"),
    ("TB in [DATE '46], seen [DATE 3/5/21], retired [DATE '19]", "TB in 1946, seen 2021, retired 2019"),
    ("nacida el [DATE 3/5/21]", "nacida el [DATE]"),
    ("geboren [DATE 3-5-'21]", "geboren [DATE]"),
    ("smoked since [DATE 1940]", "smoked since [DATE]"),
    ("[AGE 1140 months] old", "90+ months old"),
    ("on Boxing Day, [DATE 26 December 2020]", "on [DATE], 2020"),  # a feast is a day and a month
]


@pytest.mark.parametrize(("marked", "out"), SAFE_HARBOR)
def test_safe_harbor(marked: str, out: str) -> None:
    assert cleaned(marked) == out


def test_todays_year_decides_where_the_note_has_none(monkeypatch: pytest.MonkeyPatch) -> None:
    class Then(date):
        @classmethod
        def today(cls) -> Then:
            return cls(2005, 1, 1)

    monkeypatch.setattr(long_lives, "date", Then)
    assert cleaned("born [DATE 1921]. Doing well.") == "born 1921. Doing well."


PLACES = [  # what a policy keeps where it is surely a place, and hides where it may be a person
    ("[COUNTRY India] [NAME_PATIENT Quillfeather] was seen.", "[COUNTRY] [NAME] was seen."),
    ("[COUNTRY India] Quillfeather was seen.", "[COUNTRY] Quillfeather was seen."),
    ("The patient, [COUNTRY Kenya], is well.", "The patient, [COUNTRY], is well."),
    ("[STATE Georgia] says that she is in pain.", "[STATE] says that she is in pain."),
    ("Spoke to [STATE Virginia] today.", "Spoke to [STATE] today."),
    (
        "[NAME_PATIENT Georgia Roe] is in pain. She lives in [STATE Georgia].",
        "[NAME] is in pain. She lives in [STATE].",
    ),
    ("Mother of [STATE Dakota], call [COUNTRY Chad].", "Mother of [STATE], call [COUNTRY]."),
    ("Moved from [COUNTRY Kenya] to [STATE Georgia].", "Moved from Kenya to [STATE]."),
    ("He was born in [COUNTRY Jordan].", "He was born in Jordan."),
    ("Lives in [CITY Duluth], [STATE MN] [ZIP 55805]", "Lives in [CITY], MN 558"),
    ("State: [STATE Virginia]", "State: Virginia"),
    ("a clinic near the coast, [STATE Massachusetts]", "a clinic near the coast, Massachusetts"),
    ("Returned from [COUNTRY Israel].", "Returned from Israel."),
    ("Viaje a [COUNTRY Cuba] en verano.", "Viaje a Cuba en verano."),
    ("Afkomstig uit [COUNTRY Kenia].", "Afkomstig uit Kenia."),
    ("患者[STATE 江西省]人", "患者江西省人"),
    ("[NAME_PATIENT 张海南]。[STATE 海南]诉头痛。", "[NAME]。[STATE]诉头痛。"),
    ("cc: [COUNTRY Jordan], [COUNTRY Israel]", "cc: [COUNTRY], [COUNTRY]"),  # do not vouch for each other
    ("Lives in [CITY Atlanta], [STATE Georgia]", "Lives in [CITY], Georgia"),
    ("[STATE Georgia] [ZIP 30021]", "Georgia 300"),
    ("[STATE Georgia] 48213 seen", "[STATE] 48213 seen"),  # a number of a record
    ("State: [STATE Virginia] Zip: [ZIP 22901]", "State: Virginia Zip: 229"),
    ("She is in [COUNTRY India]'s room", "She is in [COUNTRY]'s room"),
    ("We trust in [STATE Georgia].", "We trust in [STATE]."),
    ("Confía en [STATE Virginia].", "Confía en [STATE]."),
    ("Message was from [STATE Virginia].", "Message was from [STATE]."),
    ("Care transferred to [STATE Georgia].", "Care transferred to [STATE]."),
    ("He is from [STATE Virginia].", "He is from Virginia."),
    ("[NAME_PATIENT Georgia-Mae Roe], lives in [STATE Georgia]", "[NAME], lives in [STATE]"),
    ("[INITIALS M.N.] of [STATE Minnesota]", "[INITIALS] of Minnesota"),
    ("[NAME_PATIENT de Jong], moeder uit [COUNTRY de Filipijnen]", "[NAME], moeder uit de Filipijnen"),
    ("son on the phone, [STATE New Jersey]", "son on the phone, New Jersey"),
    ("[COUNTRY Kenya] is well. Born in [COUNTRY Kenya].", "[COUNTRY] is well. Born in Kenya."),
]


@pytest.mark.parametrize(("marked", "out"), PLACES)
def test_a_place_stays_only_where_it_is_surely_one(marked: str, out: str) -> None:
    assert cleaned(marked) == out


FEASTS = [
    ("en", "Fell on Christmas Day ([DATE 12/25/2020])."),
    ("en", "Seen [DATE 25 December 2020], Christmas."),
    ("en", "THANKSGIVING DAY, [DATE 11/26/2020]"),
    ("en", "since New Year’s Eve, [DATE 12/31/2020]"),
    ("es", "El día de Navidad ([DATE 25/12/2020])"),
    ("es", "en Nochevieja, [DATE 31/12/2020]"),
    ("nl", "op Koningsdag ([DATE 27-04-2021])"),
    ("nl", "eerste kerstdag, [DATE 25-12-2020]"),
    ("zh", "国庆节（[DATE 2020年10月1日]）跌倒"),
    ("zh", "除夕，[DATE 2021年2月11日]"),
    ("en", "fell on X-mas ([DATE 12/25/2020])"),
    ("en", "T-giving, [DATE 11/26/2020]"),
    ("en", "Christmas-day, [DATE 12/25/2020]"),
    ("en", "Christmastime, [DATE 12/25/2020]"),
    ("en", "St Paddy's Day, [DATE 3/17/2020]"),
    ("en", "day after Thanksgiving ([DATE 11/27/2020])"),
    ("en", "Rosh Hashana, [DATE 9/19/2020]"),
    ("en", "[DATE Christmas 2020], [DATE 12/25/2020]"),
    ("es", "Noche Buena, [DATE 24/12/2020]"),
    ("es", "Fin de Año, [DATE 31/12/2020]"),
    ("es", "DIA DE REYES, [DATE 6/1/2020]"),
    ("nl", "2de kerstdag, [DATE 26-12-2020]"),
    ("nl", "oud & nieuw, [DATE 31-12-2020]"),
    ("nl", "tijdens kerstdiner, [DATE 25-12-2020]"),
    ("zh", "大年三十，[DATE 2021年2月11日]"),
    ("zh", "重陽，[DATE 2020年10月25日]"),
]


@pytest.mark.parametrize(("language", "marked"), FEASTS)
@pytest.mark.parametrize("policy", ["surrogate", "research", "gdpr-pseudonymous"])
def test_no_feast_stands_beside_a_date_that_moved(language: str, marked: str, policy: str) -> None:
    out = cleaned(marked, policy, language)
    assert "[DATE]" in out
    seasons = ["winter", "spring", "summer", "autumn", "invierno", "primavera", "verano", "otoño", "lente", "zomer"]
    left = out.lower()
    assert not any(word in left for word in [*seasons, "christ", "thanks", "new year", "navidad", "noche", "koning"])
    assert not any(word in left for word in ["mas", "giving", "paddy", "rosh", "año", "reyes", "nieuw", "十", "重陽"])
    assert not any(word in left for word in ["kerst", "国庆", "除夕"])


@pytest.mark.parametrize("text", ["Christmas disease", "Easter Island", "christmas tree pattern", "Pascual", "newly"])
def test_what_is_only_called_after_a_feast_stays(text: str) -> None:
    assert cleaned(f"Known {text}.", "surrogate") == f"Known {text}."


SWITCHES = [
    (
        "",
        "Dr. [NAME_CLINICIAN Roe], [AGE 65], on [DATE Monday], in [DATE 1999]",
        "Dr. [NAME], [AGE], on [DATE], in [DATE]",
    ),
    ('ages = "keep"', "[AGE 65] and [AGE 93]", "65 and [AGE]"),
    ('weekdays = "keep"', "on [DATE Monday], [DATE Monday 3 May]", "on Monday, [DATE]"),
    ('years = "keep"', "in [DATE 1999], [DATE May 1999]", "in 1999, [DATE]"),
    ('titles = "hide"', "Dr. [NAME_CLINICIAN Roe] and Mrs [NAME_PATIENT Poe]", "[NAME] and [NAME]"),
    ('titles = "hide"', "[NAME_CLINICIAN 王]主任医师查房", "[NAME]查房"),
    ("", "[NAME_CLINICIAN Dr. Roe]", "Dr. [NAME]"),
    ("", "[NAME_CLINICIAN Drew Roe]", "[NAME]"),
    ("", "[NAME_PATIENT Don Roe], [NAME_PATIENT D. Poe], [NAME_PATIENT Ing Tan]", "[NAME], [NAME], [NAME]"),
    ("", "[NAME_CLINICIAN Dr. Jane Quillroe]; Dr. Quillroe", "Dr. [NAME]; Dr. [NAME]"),
    ('titles = "hide"', "Dr. [NAME_CLINICIAN Quillroe]; Mrs. Quillroe", "[NAME]; [NAME]"),
    ('titles = "hide"', "[NAME_CLINICIAN Professor Quillroe], a professor", "[NAME], a professor"),
    ('titles = "hide"', "seen by Dr.\n[NAME_CLINICIAN Roe]", "seen by Dr.\n[NAME]"),
    ('titles = "hide"', "[NAME_CLINICIAN 王]主任[PROFESSION 医师]查房", "[NAME][PROFESSION]查房"),
    ('titles = "hide"', "[CITY Leeds] Dr. [NAME_CLINICIAN Roe]", "[CITY] [NAME]"),
    ('years = "keep"', "born [DATE 1921], seen [DATE 2019]", "born [DATE], seen 2019"),
]


@pytest.mark.parametrize(("switch", "marked", "out"), SWITCHES)
def test_a_policy_says_what_the_field_argues_about(switch: str, marked: str, out: str) -> None:
    policy = parse(f'{switch}\nbase = "tag"', "test.toml")
    (one,) = Deidentifier([gold], policy=policy, memory=False)([note(marked)])
    assert one.document is not None
    assert one.document.text == out
    assert one.receipt.options == policy.chosen
    assert bool(one.receipt.options) == bool(switch)


ITEMS = {  # of 45 CFR 164.514(b)(2)(i), found by what comes with elision, and what is left of each
    "A": ("Patient: Jane Quillfeather was seen.", "Patient: [NAME] was seen."),
    "B": ("Lives at 12 Elm Street, Springfield, OH 45501-1234.", "Lives at [STREET], [CITY], OH 455."),
    "B, a ZIP3 of few people": ("Lives at 12 Elm Street, Lakeside, MN 55602", "Lives at [STREET], [CITY], MN 000"),
    "C": ("Admitted on 03/05/2001, discharged May 7, 2001.", "Admitted on 2001, discharged 2001."),
    "C, ages": ("She is 88 years old; he is 91 years old.", "She is 88 years old; he is 90+ years old."),
    "D": ("Phone: (555) 013-4477", "Phone: [PHONE]"),
    "E": ("Fax: (617) 555-0148", "Fax: [FAX]"),
    "F": ("E-mail jane.q@example.org", "E-mail [EMAIL]"),
    "G": ("SSN: 219-09-9999", "SSN: [NATIONAL_ID]"),
    "H": ("MRN: 4711-0815", "MRN: [MEDICAL_RECORD]"),
    "I": ("Medicare MBI: 1EG4-TE5-MK73", "Medicare MBI: [HEALTH_PLAN]"),
    "J": ("Account number: 88-123456", "Account number: [ACCOUNT]"),
    "K": ("Driver's license: D123-4567-8901", "Driver's license: [LICENSE]"),
    "L": ("VIN: 1HGCM82633A004352", "VIN: [VEHICLE]"),
    "M": ("Pacemaker serial number: PJN1234567", "Pacemaker serial number: [DEVICE]"),
    "N": ("see https://ward.example.org/p/17 for it", "see [URL] for it"),
    "O": ("from 192.168.17.4", "from [IP]"),
    "P": ("Fingerprint ID: FP-88213", "Fingerprint ID: [BIOMETRIC]"),
    "R": ("Accession number: S01-12345", "Accession number: [ENCOUNTER_ID]"),
}


@pytest.mark.parametrize("item", ITEMS)
def test_every_item_of_safe_harbor_goes(item: str) -> None:
    """All but Q, photographs, which are no text."""
    text, out = ITEMS[item]
    assert Deidentifier([Rules("en")], policy="safe-harbor").note(text, language="en").text == out


@pytest.mark.parametrize(
    ("age", "out"),
    [("88", "88"), ("89", "89"), ("90", "90+"), ("101", "90+"), ("ninety-one", "90+"), ("sixty-five", "sixty-five"),
     ("nonagenarian", "90+-year-old"), ("octogenarian", "octogenarian"), ("centenarian", "90+-year-old")],
)  # fmt: skip
def test_ages_over_89_are_one(age: str, out: str) -> None:
    assert cleaned(f"aged [AGE {age}].") == f"aged {out}."


def test_weekdays_do_not_stay_beside_dates_that_moved_by_days() -> None:
    with pytest.raises(PolicyError, match=r"weekdays = .keep. beside dates that move gives the shift away; say weeks"):
        parse('weekdays = "keep"\nbase = "surrogate"', "test.toml")
    assert parse('weekdays = "keep"\nbase = "research"', "test.toml").weekdays == "keep"


@pytest.mark.parametrize("base", ["3", "true", '"nope"', '""', '["tag"]', "{ a = 1 }", '"../tag"', '"test.toml"'])
def test_a_policy_begins_with_one_that_comes_with_elision(base: str) -> None:
    with pytest.raises(PolicyError, match=r"test.toml: base is one of .*, in quotes"):
        parse(f"base = {base}", "test.toml")


def test_a_policy_without_a_rule_for_dates_holds_no_note_without_dates() -> None:
    policy = parse('[labels]\nNAME = "tag"', "test.toml")
    notes = [note("[NAME_PATIENT Roe] came", "1"), note("[NAME_PATIENT Roe] came [DATE 3 May 2001]", "2")]
    assert [one.receipt.why for one in Deidentifier([gold], policy=policy)(notes)] == ["", "label-without-rule"]


LONG = {
    "places": ("Kenya, ", [(0, 5, "COUNTRY")]),
    "places and people": ("Kenya Jane. ", [(0, 5, "COUNTRY"), (6, 10, "NAME_PATIENT")]),
    "years": ("in 1921 ", [(3, 7, "DATE")]),
    "titles": ("Dr. Dr. ", []),
    "titles and names": ("Dr. Roe ", [(4, 7, "NAME_CLINICIAN")]),
    "feasts": ("Christmas ", []),
}


@pytest.mark.slow
@pytest.mark.parametrize("what", LONG)
def test_time_grows_with_the_note_and_no_faster(what: str) -> None:
    """With twice nested loops over its spans, 16,000 of them take minutes."""
    unit, stretches = LONG[what]
    policy = parse('titles = "hide"\nyears = "keep"\nbase = "safe-harbor"', "test.toml")
    times = 16_000
    at = range(0, times * len(unit), len(unit))
    spans = tuple(Span(first + start, first + end, label) for first in at for start, end, label in stretches)
    document = Document(unit * times, "n", language="en", spans=spans)
    began = time.process_time()
    (one,) = Deidentifier([gold], policy=policy, memory=False)([document])
    assert one.document is not None
    assert time.process_time() - began < 10


FOUND = [  # by the rules that come with elision
    ("en", "She was born nineteen twenty-one.", "She was born [DATE]."),
    ("en", "She was born '21, twin.", "She was born [DATE], twin."),
    ("nl", "Mevrouw is geboren in negentienhonderd eenentwintig.", "Mevrouw is geboren in [DATE]."),
    ("nl", "Zij is gehuwd 1946.", "Zij is gehuwd [DATE]."),
    ("en", "Paid with Visa ...4242.", "Paid with Visa ...[ACCOUNT]."),
    ("es", "Pagó con tarjeta ****4242.", "Pagó con tarjeta ****[ACCOUNT]."),
]


@pytest.mark.parametrize(("language", "text", "out"), FOUND)
def test_years_and_cards_told_shortly_are_found(language: str, text: str, out: str) -> None:
    assert Deidentifier([Rules(language)], policy="safe-harbor").note(text, language=language).text == out

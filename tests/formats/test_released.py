"""Corpora laid out as they are released, with notes of our own: each is told apart and read without a word more.

The folders and the names of files are those of the releases, and so are the ways in which their XML is written.
"""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

import pytest

from elision.document import Document
from elision.formats import Reading, guess, read

Files = Mapping[str, str]

I2B2_2006_TRAIN = """\
<?xml version="1.0" encoding="UTF-8"?>
<ROOT>
<RECORD ID="501">
<TEXT>
<PHI TYPE="ID">918273645</PHI>
<PHI TYPE="HOSPITAL">VBMC</PHI>
<PHI TYPE="DATE">03/14</PHI>/1996 12:00:00 AM
Discharge Summary
HISTORY OF PRESENT ILLNESS :
Ms. <PHI TYPE="PATIENT">Ostrander</PHI> is a <PHI TYPE="AGE">92</PHI>-year-old woman
from <PHI TYPE="LOCATION">Lower Pell</PHI> .
Dictated By : <PHI TYPE="DOCTOR">ILSE QUORN , M.D.</PHI> [ <PHI TYPE="PHONE">555-0134</PHI> ]
[ report_end ]
</TEXT>
</RECORD>
<RECORD ID="502">
<TEXT>
BP 110 &amp; stable , WBC &lt; 9 .
[ report_end ]
</TEXT>
</RECORD>
</ROOT>
"""
I2B2_2006_TEST = """\
<?xml version="1.0" encoding="UTF-8"?>
<ROOT>
<RECORD ID="1">
<TEXT>
Seen by Dr. <PHI TYPE="DOCTOR">Quorn</PHI> .
[ report_end ]
</TEXT>
</RECORD>
</ROOT>
"""


def i2b2_2014(text: str, *tags: str) -> str:
    lines = "".join(f"{tag}\n" for tag in tags)
    return (
        f'<?xml version="1.0" encoding="UTF-8" ?>\n<deIdi2b2>\n<TEXT><![CDATA[{text}]]></TEXT>\n'
        f"<TAGS>\n{lines}</TAGS>\n</deIdi2b2>\n"
    )


I2B2_2014_NOTE = i2b2_2014(
    "\n\n\nRecord date: 2081-03-14\n\n"
    "Mr. Ostrander, 61 y/o baker at Pell & Sons, seen at Vale\n Clinic.\n\t\tIlse Quorn, M.D.\n\n\n",
    '<DATE id="P0" start="16" end="26" text="2081-03-14" TYPE="DATE" comment="" />',
    '<NAME id="P1" start="32" end="41" text="Ostrander" TYPE="PATIENT" comment="" />',
    '<AGE id="P2" start="43" end="45" text="61" TYPE="AGE" comment="" />',
    '<PROFESSION id="P3" start="50" end="55" text="baker" TYPE="PROFESSION" comment="" />',
    '<LOCATION id="P4" start="59" end="70" text="Pell &amp; Sons" TYPE="ORGANIZATION" comment="" />',
    '<LOCATION id="P5" start="80" end="92" text="Vale  Clinic" TYPE="HOSPITAL" comment="" />',
    '<NAME id="P6" start="96" end="106" text="Ilse Quorn" TYPE="DOCTOR" comment="" />',
)

RELEASES: dict[str, tuple[Files, str, dict[str, list[tuple[str, str]]]]] = {
    "i2b2 2006": (
        {
            "deid_surrogate_train_all_version2.xml": I2B2_2006_TRAIN,
            "deid_surrogate_test_all_groundtruth_version2.xml": I2B2_2006_TEST,
        },
        "i2b2-2006",
        {
            "1": [("DOCTOR", "Quorn")],
            "501": [
                ("ID", "918273645"),
                ("HOSPITAL", "VBMC"),
                ("DATE", "03/14"),
                ("PATIENT", "Ostrander"),
                ("AGE", "92"),
                ("LOCATION", "Lower Pell"),
                ("DOCTOR", "ILSE QUORN , M.D."),
                ("PHONE", "555-0134"),
            ],
            "502": [],
        },
    ),
    "i2b2 2014": (
        {
            "training-PHI-Gold-Set1/220-01.xml": I2B2_2014_NOTE,
            "training-PHI-Gold-Set1/220-02.xml": i2b2_2014("Well."),
            "training-PHI-Gold-Set2/301-01.xml": i2b2_2014("Well."),
            "testing-PHI-Gold-fixed/110-01.xml": i2b2_2014("Well."),
            "training-PHI-Gold-Set1/.DS_Store": "Bud1",
            "__MACOSX/._220-01.xml": "Mac OS X",
        },
        "i2b2-2014",
        {
            "testing-PHI-Gold-fixed/110-01": [],
            "training-PHI-Gold-Set1/220-01": [
                ("DATE", "2081-03-14"),
                ("PATIENT", "Ostrander"),
                ("AGE", "61"),
                ("PROFESSION", "baker"),
                ("ORGANIZATION", "Pell & Sons"),
                ("HOSPITAL", "Vale\n Clinic"),
                ("DOCTOR", "Ilse Quorn"),
            ],
            "training-PHI-Gold-Set1/220-02": [],
            "training-PHI-Gold-Set2/301-01": [],
        },
    ),
    "NUT": (
        {
            "train/elderly-1.txt": "Mw. Zandstra-de Wit belde met De Wilgenhof.\nMail: zoon@voorbeeld.nl",
            "train/elderly-1.ann": "T1\tName 4 19\tZandstra-de Wit\nT2\tCare_Institute 30 42\tDe Wilgenhof\n"
            "T3\tEmail 50 67\tzoon@voorbeeld.nl\n",
            "dev/disabled-2.txt": "Rapportage: JB sliep goed.",
            "dev/disabled-2.ann": "T1\tInitials 12 14\tJB\n#1\tAnnotatorNotes T1\ttwijfel\n",
            "test/mental-3.txt": "Geen bijzonderheden.",
            "test/mental-3.ann": "",
        },
        "nedap",
        {
            "dev/disabled-2": [("Initials", "JB")],
            "test/mental-3": [],
            "train/elderly-1": [
                ("Name", "Zandstra-de Wit"),
                ("Care_Institute", "De Wilgenhof"),
                ("Email", "zoon@voorbeeld.nl"),
            ],
        },
    ),
}


def found(documents: list[Document]) -> dict[str, list[tuple[str, str]]]:
    return {document.id: [(s.label, document.text_of(s)) for s in document.spans] for document in documents}


@pytest.mark.parametrize("release", RELEASES)
def test_a_release_is_told_apart_and_read(release: str, tmp_path: Path) -> None:
    files, format, expected = RELEASES[release]
    for name, text in files.items():
        (tmp_path / "corpus" / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / "corpus" / name).write_text(text, "utf-8")
    assert guess(tmp_path / "corpus")[0].name == format
    how = Reading()
    assert found(sorted(read(tmp_path / "corpus", how=how), key=lambda document: document.id)) == expected
    assert how.remarks.lines() == []


def test_one_file_of_a_release_is_read_alone(tmp_path: Path) -> None:
    (tmp_path / "220-01.xml").write_text(I2B2_2014_NOTE, "utf-8")
    assert [document.id for document in read(tmp_path / "220-01.xml")] == ["220-01"]
    (tmp_path / "deid_surrogate_train_all_version2.xml").write_text(I2B2_2006_TRAIN, "utf-8")
    assert [d.id for d in read(tmp_path / "deid_surrogate_train_all_version2.xml")] == ["501", "502"]

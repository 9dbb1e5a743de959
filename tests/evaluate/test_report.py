from __future__ import annotations

import re
import subprocess
import sys
from base64 import b64encode
from collections import Counter
from dataclasses import replace
from hashlib import sha256
from html.parser import HTMLParser
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given

from elision.document import Document, Span
from elision.errors import FormatError
from elision.evaluate import Evaluation, Options, evaluate
from elision.evaluate.breakdown import Confusion
from elision.evaluate.charts import confusion_chart
from elision.evaluate.context import AROUND, UNSEEN, Entry, NoteErrors, visible, worst_first
from elision.evaluate.coverage import coverage, leaking
from elision.evaluate.matching import Pair
from elision.evaluate.report import render, write_report
from elision.evaluate.tables import as_json, confusion, type_errors
from elision.formats import read
from tests.evaluate.made import pair, pairs, places_of
from tests.notes import GOLDEN

EXAMPLES = Path(__file__).parents[2] / "examples" / "notes"
VOID = {"area", "base", "br", "col", "embed", "hr", "img", "input", "link", "meta", "source", "track", "wbr"}
FEW = Options(replicates=20, shuffles=20)


def scored(*made: Pair, options: Options = FEW) -> Evaluation:
    return evaluate([gold for gold, _ in made], [system for _, system in made], options)


def page_of(found: Evaluation, most: int = 2_000) -> Page:
    return Page(render(found, gold_name="our gold", system_name="our system", most=most))


class Page(HTMLParser):
    """A page taken apart; it fails at once on a tag that nothing opened or closed."""

    def __init__(self, text: str) -> None:
        super().__init__(convert_charrefs=True)
        self.source = text
        self.open: list[str] = []
        self.tags: list[tuple[str, dict[str, str]]] = []
        self.errors: list[Error] = []
        self.scripts: list[str] = []
        self.text = ""
        self.depth = 0
        self.feed(text)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {name: value or "" for name, value in attrs}
        assert len(values) == len(attrs), "an attribute twice"
        self.tags.append((tag, values))
        if tag not in VOID:
            self.open.append(tag)
        if "data-kind" in values:
            self.errors.append(Error(values["data-kind"], "data-leak" in values))
        if self.errors and "bdi" in self.open:
            self.errors[-1].classes = values.get("class", "") if tag == "span" else ""

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append((tag, {name: value or "" for name, value in attrs}))  # only SVG closes a tag at once

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag
        if tag == "span" and self.errors:
            self.errors[-1].classes = ""

    def handle_data(self, data: str) -> None:
        self.text += data
        if self.open and self.open[-1] == "script":
            self.scripts.append(data)
        if "li" in self.open and "bdi" in self.open and self.errors:
            self.errors[-1].pieces.append((data, set(self.errors[-1].classes.split())))

    def of(self, tag: str) -> list[dict[str, str]]:
        return [values for name, values in self.tags if name == tag]


class Error:
    """An error as the page shows it."""

    def __init__(self, kind: str, leaks: bool) -> None:
        self.kind = kind
        self.leaks = leaks
        self.classes = ""
        self.pieces: list[tuple[str, set[str]]] = []

    def marked(self, name: str) -> str:
        return "".join(text for text, classes in self.pieces if name in classes)

    @property
    def text(self) -> str:
        return "".join(text for text, _ in self.pieces)


@pytest.fixture(scope="module")
def example() -> Evaluation:
    system = list(read(EXAMPLES / "system", "brat"))
    return evaluate(read(EXAMPLES / "gold", "brat"), system, replace(FEW, scheme="meddocan"), versus=system[3:])


@pytest.fixture(scope="module")
def example_page(example: Evaluation) -> Page:
    return page_of(example)


# One file that asks nothing of anybody


def test_the_page_needs_nothing_from_outside(example_page: Page) -> None:
    for tag, values in example_page.tags:
        for name in ("src", "href", "xlink:href", "action", "data", "poster", "srcset"):
            assert values.get(name, "#").startswith(("#", "data:")), tag
        assert "style" not in values or "url(" not in values["style"]
        assert not any(name.startswith("on") for name in values), tag
    assert not re.search(r"@import|url\(|@font-face", example_page.source)
    assert not {"img", "iframe", "object", "embed", "base", "form", "audio", "video"} & {
        t for t, _ in example_page.tags
    }


def test_the_policy_forbids_all_but_the_one_script(example_page: Page) -> None:
    (policy,) = (meta["content"] for meta in example_page.of("meta") if "http-equiv" in meta)
    (script,) = example_page.scripts
    digest = b64encode(sha256(script.encode()).digest()).decode()
    rules = dict(rule.split(" ", 1) for rule in policy.split("; "))
    assert rules == {
        "default-src": "'none'",
        "style-src": "'unsafe-inline'",
        "script-src": f"'sha256-{digest}'",
        "img-src": "data:",
        "base-uri": "'none'",
        "form-action": "'none'",
    }
    first = next(at for at, (tag, _) in enumerate(example_page.tags) if tag in ("style", "script", "link"))
    assert any("http-equiv" in values for _, values in example_page.tags[:first]), "the policy must come first"


def test_links_lead_somewhere_and_names_are_unique(example_page: Page) -> None:
    names = Counter(values["id"] for _, values in example_page.tags if "id" in values)
    assert max(names.values()) == 1
    links = {a["href"][1:] for a in example_page.of("a")}
    assert links <= set(names)
    assert len(links) == 6 + 20  # the parts of the page, and the worst notes
    for _, values in example_page.tags:
        assert set(values.get("aria-labelledby", "").split()) <= set(names)


def test_pictures_and_tables_say_what_they_are(example_page: Page) -> None:
    pictures = example_page.of("svg")
    assert [picture["role"] for picture in pictures] == ["img"] * 4
    assert len(example_page.of("desc")) == 4
    tables = len(example_page.of("table"))
    assert tables == len(example_page.of("caption"))
    assert all(head["scope"] in ("row", "col") for head in example_page.of("th"))


def test_the_example_is_told_in_full(example: Evaluation, example_page: Page) -> None:
    text = example_page.text.replace("\u00a0", " ")
    for words in (
        "This report quotes the notes.",
        "System our system against gold our gold",
        "27, with 33,418 characters",
        "753 in gold, 728 of the system",
        "seed 0",
        "of 753 PHI spans, 45 stay wholly in the clear and 23 in part",
        "2 of 27 notes (7.4 %) are fully clean; with 95 % confidence, at most 98.7 % of notes like these leak",
        "Of 116 errors, the biggest group is PHI that the system does not mark at all (missing: 45, 38.8 %)",
        "116 errors; the notes that leak most first",
        "SubTrack 2 [merged]",
        "span exact, label within its parent",
        "B against A",
        "type, missing and spurious errors (He 2015, Table 7)",
        "extent errors by the system's label (He 2015, Table 8)",
    ):
        assert words in text
    assert example.official.text in example_page.text
    assert all(f"{name}: {value}" in text for name, value in example.official.more.items())


def test_every_error_of_the_example_is_shown_once(example: Evaluation, example_page: Page) -> None:
    assert Counter(error.kind for error in example_page.errors) == Counter(
        mistake.kind for mistake in example.errors.mistakes
    )
    golds = {gold.id: gold.text for gold, _ in example.pairs}
    for side, name in ((0, "g"), (1, "s")):
        told = Counter(error.marked(name) for error in example_page.errors)
        places = [(m.document, (m.gold, m.system)[side]) for m in example.errors.mistakes]
        assert told == Counter(visible(golds[id][place[0] : place[1]]) if place else "" for id, place in places)


def test_the_other_schemes() -> None:
    """i2b2's 42 blocks: the first ten beside the corrected scores, all of them at the end."""
    folder = GOLDEN / "i2b2_2014" / "case_16"
    page = page_of(evaluate(read(folder / "gold"), read(folder / "system"), replace(FEW, scheme="i2b2-2014")))
    assert "32 more blocks at the end of this page" in page.text
    assert page.text.count("Binary HIPPA Token") == 2
    assert "no official program" in page_of(scored(pair("[AGE 93]", "[AGE 93]"))).text


def test_a_scheme_that_refuses_says_why() -> None:
    folder = GOLDEN / "meddocan" / "case_17" / "gold" / "brat"
    notes = list(read(folder))
    found = evaluate(notes, notes, replace(FEW, scheme="meddocan"))
    assert not found.official.refused
    refused = replace(found, official=replace(found.official, refused="its program stops here", blocks=(), text=""))
    assert "its program stops here" in page_of(refused).text


# Errors in their context


@pytest.mark.parametrize(
    ("gold", "system", "kind", "own_gold", "own_system", "in_the_clear"),
    [
        ("by [DOCTOR Dr. Roe] today", "by Dr. Roe today", "missing", "Dr. Roe", "", "Dr. Roe"),
        ("by Dr. Roe today", "by [DOCTOR Dr. Roe] today", "spurious", "", "Dr. Roe", ""),
        ("by [DOCTOR Dr. Roe]", "by [CITY Dr. Roe]", "type", "Dr. Roe", "Dr. Roe", ""),
        ("by [DOCTOR Dr. Roe]", "by Dr. [DOCTOR Roe]", "extent", "Dr. Roe", "Roe", "Dr. "),
        ("[DOCTOR Dr. Roe] said", "Dr. [DOCTOR Roe said]", "extent", "Dr. Roe", "Roe said", "Dr. "),
        ("by [DOCTOR Roe\n] at", "[DOCTOR by Roe\n at]", "extent", "Roe⏎", "by Roe⏎ at", ""),
    ],
)
def test_the_marks_of_an_error(
    gold: str, system: str, kind: str, own_gold: str, own_system: str, in_the_clear: str
) -> None:
    made = pair(gold, system)
    (error,) = page_of(scored(made)).errors
    assert (error.kind, error.leaks) == (kind, bool(in_the_clear))
    assert [error.marked(name) for name in ("g", "s", "o")] == [own_gold, own_system, in_the_clear]
    assert error.text == visible(made[0].text)


def test_spans_nearby_are_marked_thinly() -> None:
    made = pair("[DATE 3 May]: [DOCTOR Roe], [CITY Ulm]", "[DATE 3 May]: Roe, Ulm")
    roe, ulm = page_of(scored(made)).errors
    assert (roe.marked("g"), roe.marked("og"), roe.marked("os"), roe.marked("o")) == (
        "Roe",
        "3 MayUlm",
        "3 May",
        "RoeUlm",
    )
    assert (ulm.marked("g"), ulm.marked("og")) == ("Ulm", "3 MayRoe")


def test_a_span_without_characters_has_a_mark_of_its_own() -> None:
    gold = Document("no name here", "note-1", spans=(Span(3, 3, "NAME"), Span(12, 12, "NAME")))
    system = gold.with_spans([Span(3, 3, "CITY"), Span(0, 0, "CITY")])
    errors = page_of(scored((gold, system))).errors
    assert [(error.kind, error.marked("g"), error.marked("s"), error.text) for error in errors] == [
        ("spurious", "", "‸", "‸no name here"),
        ("type", "‸", "‸", "no ‸name here"),
        ("missing", "‸", "", "no name here‸"),
    ]


def test_a_long_span_is_shown_by_its_ends() -> None:
    text = "word " * 2_000
    gold = Document(text, "note-1", spans=(Span(4_000, 4_004, "NAME"),))
    (error,) = page_of(scored((gold, gold.with_spans([Span(5, 9_995, "NAME")])))).errors
    assert error.marked("g") == "word"
    assert len(error.text) < 10 * AROUND
    assert [size for size, classes in error.pieces if "gap" in classes] == [
        " … 3,871 characters … ",
        " … 5,871 characters … ",
    ]
    assert error.text.startswith("word word ")
    assert error.text.endswith("word ")


def test_words_at_the_edges_are_whole() -> None:
    text = "antidepressants " * 20
    gold = Document(text, "note-1", spans=(Span(160, 175, "NAME"),))
    (error,) = page_of(scored((gold, gold.with_spans([])))).errors
    assert error.text == "… " + "antidepressants " * 4 + "antidepressants" + " antidepressants" * 4 + " …"


def test_a_leak_that_no_error_stands_for_is_listed() -> None:
    """The system is right about the inner span, so it makes no error, but the rest of the outer one leaks."""
    gold = Document("Jane Roe came", "note-1", spans=(Span(0, 4, "GIVEN"), Span(0, 8, "NAME")))
    page = page_of(scored((gold, gold.with_spans([Span(0, 4, "GIVEN")]))))
    (error,) = page.errors
    assert (error.kind, error.leaks, error.marked("g"), error.marked("o")) == ("touched", True, "Jane Roe", " Roe")
    assert "0 errors, and 1 leak that no error stands for (touched)" in page.text


def test_the_worst_notes_come_first_and_a_cap_is_stated() -> None:
    made = (
        pair("[CITY Ulm]", "[CITY Ulm]", "clean"),
        pair("[CITY Ulm]", "Ulm", "bad"),
        pair("[CITY Ulm] [DOCTOR Roe] [AGE 93]", "Ulm Roe 93", "worst"),
        pair("[CITY Ulm] [DOCTOR Dr. Roe]", "[CITY Ulm] Dr. Roe", "worse"),
        pair("[CITY Ulm] or", "[CITY Ulm] [CITY or]", "lossy"),
    )
    found = scored(*made)
    assert [note.id for note in worst_first(found, 10)] == ["worst", "worse", "bad", "lossy"]
    page = page_of(found, most=2)
    assert [error.marked("g") for error in page.errors] == ["Ulm", "Roe"]
    assert "Only the first 2 are shown; 4 more, in 4 notes, are left out here" in page.text
    assert "3 leaks, 3 errors, the first 2 shown" in page.text
    whole = page_of(found)
    assert len(whole.errors) == 6
    assert "left out" not in whole.text


# Texts that hurt


def test_what_looks_like_markup_is_text() -> None:
    words = "<script>alert(1)</script> & &amp; \"quoted\" '</bdi>' {{ 7 * 7 }}"
    gold = Document(f"{words} Jane", '<img src="x" onerror="y">', spans=(Span(len(words) + 1, len(words) + 5, "<b>&"),))
    page = page_of(scored((gold, gold.with_spans([]))))
    (error,) = page.errors
    assert error.text == gold.text
    assert gold.id in page.text
    assert len(page.scripts) == 1
    assert not page.of("img")


def test_characters_that_hide_or_turn_are_shown() -> None:
    text = "\u202eyb \0דוד\u2028\r\n\t\u200b\x85\ufeff\U0001ffff 👩‍⚕️ end"
    gold = Document(text, "id\u202e\0", spans=(Span(4, 8, "NA\u2067ME"),))
    page = page_of(scored((gold, gold.with_spans([]))))
    (error,) = page.errors
    assert error.text == "⟨U+202E⟩yb ␀דוד⟨U+2028⟩␍⏎⇥⟨U+200B⟩⟨U+0085⟩⟨U+FEFF⟩⟨U+1FFFF⟩ 👩‍⚕️ end"
    assert error.marked("g") == "␀דוד"
    assert "id⟨U+202E⟩␀" in page.text
    assert set(UNSEEN.findall(page.source)) == {"\n"}


def test_names_may_hold_anything(tmp_path: Path) -> None:
    """A file name that is no text arrives with half characters; they must not keep the page from being written."""
    file = tmp_path / "new" / "report.html"
    found = scored(pair("[AGE 93]", "93"))
    write_report(found, file, gold_name="go\udcffld", system_name="a & b", versus_name="c")
    page = Page(file.read_bytes().decode())
    assert "System a & b against gold go⟨U+DCFF⟩ld" in page.text
    (tmp_path / "taken").write_text("")
    with pytest.raises(FormatError, match="cannot be written"):
        write_report(found, tmp_path / "taken" / "report.html", gold_name="a", system_name="b")


def test_the_same_evaluation_gives_the_same_page(example: Evaluation, example_page: Page) -> None:
    assert page_of(example).source == example_page.source


# Little or nothing to show


def test_no_errors_at_all() -> None:
    text = page_of(scored(pair("by [DOCTOR Roe]", "by [DOCTOR Roe]"), pair("[AGE 93]", "[AGE 93]", "note-2"))).text
    assert "The system makes no error" in text
    assert "There is no error to show." in text
    assert "No note has an error." in text


def test_nothing_found_at_all() -> None:
    page = page_of(scored(pair("by [DOCTOR Roe]", "by Roe"), pair("[AGE 93]", "93", "note-2")))
    text = page.text.replace("\u00a0", " ")
    assert "The system covers 0.0 % of the characters of PHI" in text
    assert "0 of 2 notes (0.0 %) are fully clean: every one leaks something." in text
    assert [error.kind for error in page.errors] == ["missing", "missing"]


@pytest.mark.parametrize("words", ["nobody is named", ""])
def test_nothing_to_find(words: str) -> None:
    text = page_of(scored(pair(words, words))).text
    assert "Gold marks no PHI in these notes" in text
    assert "nothing to count" in text


def test_only_false_alarms() -> None:
    page = page_of(scored(pair("nobody", "[CITY nobody]")))
    assert [error.kind for error in page.errors] == ["spurious"]
    assert "text marked that is no PHI (spurious: 1, 100.0\u00a0%), most often CITY (1)" in page.text


def test_a_single_note_has_no_interval() -> None:
    assert "no interval from a single note" in page_of(scored(pair("by [DOCTOR Roe]", "by Roe"))).text


def test_notes_missing_on_a_side_are_named() -> None:
    gold, system = pair("by [DOCTOR Roe]", "by [DOCTOR Roe]", "both")
    lost = [pair("[AGE 93]", "93", f"lost-{number:02}")[0] for number in range(25)]
    text = page_of(evaluate([gold, *lost], [system, pair("x", "[AGE x]", "extra")[1]], FEW)).text
    assert "missing from the system25 notes: lost-00, lost-01" in text
    assert "lost-19 and 5 more" in text
    assert "1 note: extra" in text


@pytest.mark.slow
def test_many_labels_leave_the_rarest_to_the_json() -> None:
    text = "a " * 70
    spans = [Span(2 * at, 2 * at + 1, f"LABEL-{at:02}") for at in range(70)]
    gold = Document(text, "note-1", spans=(*spans, Span(1, 3, "LABEL-01")))
    page = page_of(scored((gold, gold.with_spans(spans))))
    # In both charts, by label, by parent, tokens, Table 7; every label has one extent error less than Table 8 can show.
    assert page.text.count("10 rarer labels left out; they are in the JSON") == 5
    assert page.text.count("10 rarer labels left out (the totals count them); they are in the JSON") == 1


@pytest.mark.slow
def test_thousands_of_labels_keep_the_page_small() -> None:
    """Each label has an extent error, and one comes more often: it stays, wherever it stands."""
    labels = [f"LABEL-{at:04}" for at in range(1_000)] + ["Z-LAST"] * 4
    gold = Document("a b " * len(labels), "note-1")
    gold = gold.with_spans([Span(4 * at, 4 * at + 3, label) for at, label in enumerate(labels)])
    cut = [replace(span, end=span.end - 2) for span in gold.spans[:-1]]
    found = scored((gold, gold.with_spans([*cut, gold.spans[-1]])))
    page = page_of(found, most=5)
    assert len(page.source) < 1_500_000
    assert page.text.count("941 rarer labels left out") == 7
    for table in (type_errors(found), confusion(found)):
        assert len(table.rows) < 64
        assert "Z-LAST" in table.head
        assert "LABEL-0999" not in table.head
        assert table.note.startswith("941 rarer labels left out")
    assert type_errors(found).rows[-1][-2] == "0"
    assert '"LABEL-0999"' in as_json(found)


def test_large_numbers_fit_their_cells() -> None:
    labels = ("O", *(f"LABEL-{at:02}" for at in range(25)))
    counts = np.zeros((26, 26), np.int64)
    counts[0, 0], counts[1, 1], counts[2, 2], counts[3, 3] = 364_980, 1_234_567, 999_600, 842
    chart = confusion_chart(Confusion("token", labels, counts))
    assert re.findall(r"mid tiny[^>]*>([^<]*)<", chart) == ["1.23M", "1M", "842", "365k"]


def test_a_large_matrix_has_no_numbers_but_tells_them_when_pointed_at() -> None:
    labels = ("O", *(f"LABEL-{at:02}" for at in range(30)))
    chart = confusion_chart(Confusion("token", labels, np.eye(31, dtype=np.int64)))
    assert "<title>gold LABEL-07, system LABEL-07: 1 token, 100.0 % of the row</title>" in chart
    assert chart.count("<rect") == 30  # O against O is left blank
    assert re.findall(r"mid tiny[^>]*>([^<]+)<", chart) == []


def test_importing_does_not_load_the_template_engine() -> None:
    code = "import sys, elision, elision.evaluate.report; sys.exit('jinja2' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0


# Properties


def entries_of(made: tuple[Pair, ...]) -> list[tuple[NoteErrors, Entry]]:
    found = scored(*made, options=Options(replicates=1))
    return [(note, entry) for note in worst_first(found, 10_000) for entry in note.entries]


@given(pairs())
def test_every_mistake_and_every_leak_is_listed_once(made: tuple[Pair, ...]) -> None:
    found = scored(*made, options=Options(replicates=1))
    notes = worst_first(found, 10_000)
    listed = Counter(
        (note.id, entry.kind, entry.gold, entry.system)
        for note in notes
        for entry in note.entries
        if entry.kind != "touched"
    )
    assert listed == Counter((m.document, m.kind, m.gold, m.system) for m in found.errors.mistakes)
    for gold, system in made:
        open_ = leaking(gold, system)
        told = {entry.gold: entry.leak for note in notes if note.id == gold.id for entry in note.entries if entry.leak}
        assert told == open_
    assert [note.leaks for note in notes] == sorted((note.leaks for note in notes), reverse=True)


@given(pairs())
def test_leaks_one_by_one_are_those_that_are_counted(made: tuple[Pair, ...]) -> None:
    cover = coverage(made)
    for row, (gold, system) in enumerate(made):
        kinds = Counter(leaking(gold, system).values())
        assert (kinds["partly"], kinds["wholly"]) == (cover.partly[row].sum(), cover.wholly[row].sum())
        assert set(leaking(gold, system)) <= places_of(gold)


@given(pairs())
def test_excerpts_are_the_text_with_its_marks(made: tuple[Pair, ...]) -> None:
    """Texts are short here, so that an excerpt is the whole note."""
    notes = {gold.id: (gold, system) for gold, system in made}
    for note, entry in entries_of(made):
        gold, system = notes[note.id]
        text = gold.text
        pieces = [piece for piece in entry.pieces if "e" not in piece.classes.split()]
        assert "".join(piece.text for piece in pieces) == visible(text)
        for place, name in ((entry.gold, "g"), (entry.system, "s")):
            marked = "".join(piece.text for piece in pieces if name in piece.classes.split())
            assert marked == visible(text[place[0] : place[1]] if place else "")
        in_gold, in_system = (
            {at for span in document.spans for at in range(span.start, span.end)} for document in (gold, system)
        )
        clear = "".join(piece.text for piece in pieces if "o" in piece.classes.split())
        assert clear == visible("".join(text[at] for at in sorted(in_gold - in_system)))

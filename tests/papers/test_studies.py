"""The papers' tables as data: runs, rows and numbers fit together, and cells, plots and pages show what is there."""

from __future__ import annotations

import csv
import io
import re
import tomllib
from importlib.resources import files
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from elision.errors import ScoreError
from elision.evaluate.tally import harmonic
from elision.formats import read
from elision.labels import tag_set
from elision.papers.studies import he2015, markdown, plots, report
from elision.papers.studies.catalogue import STUDIES, items_of, study_named
from elision.papers.studies.notes import given, made, part_named, parts_at
from elision.papers.studies.runs import about
from elision.papers.studies.study import ALL, DEV, TEST, TRAIN, Cell, Row, Study, Table, corpora_of
from elision.papers.studies.systems import RULES
from elision.synth.profiles import read_profile
from elision.taggers.presets import presets
from tests.formats.test_released import RELEASES
from tests.test_pages import ODD, Page

ROUNDING = 0.0011  # papers round precision, recall and F1 each by itself


def printed(name: str) -> dict[str, Any]:
    return tomllib.loads((files("elision") / "data" / "papers" / f"{name}.toml").read_text("utf-8"))


@pytest.mark.parametrize("study", STUDIES.values(), ids=lambda study: study.name)
def test_what_a_study_names_is_there(study: Study) -> None:
    runs = {run.name for run in study.runs}
    corpora = {corpus.name for corpus in study.corpora}
    assert len(runs) == len(study.runs)
    assert len({item.key for item in study.items}) == len(study.items)
    assert runs == {name for item in study.items for name in item.runs}, "a run that no table needs"
    for run in study.runs:
        assert {*corpora_of(run.train), *corpora_of(run.test)} <= corpora
        assert {study.corpus(name).labels for name in corpora_of(run.test)} == {study.tried_on(run).labels}
        assert run.preset in RULES or run.preset in presets()
    for item in study.items:
        assert set(item.corpora) <= corpora
        assert item.key.startswith("figure") == bool(item.plot)
    for corpus in study.corpora:
        assert read_profile(corpus.made.profile).language == corpus.language
        assert set(corpus.without) <= set(tag_set(corpus.labels).tags)


@pytest.mark.parametrize("name", STUDIES)
def test_published_numbers_are_of_tables_that_are_made_and_agree_with_themselves(name: str) -> None:
    for key, table in printed(name).items():
        assert key in {item.key for item in STUDIES[name].items}
        for row, numbers in table["rows"].items():
            assert len(numbers) == len(table["columns"]), row
            told = {each: n for each, n in zip(table["columns"], numbers, strict=True) if n != "-"}
            if {"precision", "recall", "F1"} <= set(told) and name == "he2015":  # Cotik's own do not all agree
                assert abs(harmonic(told["precision"], told["recall"]) - told["F1"]) < ROUNDING, row
            if {"agree", "system", "precision"} <= set(told) and told["system"]:
                assert abs(told["agree"] / told["system"] - told["precision"]) < ROUNDING, row
                assert abs(told["agree"] / told["gold"] - told["recall"]) < ROUNDING, row


def test_the_rows_of_he_table_7_and_8_add_up() -> None:
    for key in ("table7", "table8"):
        for row, numbers in printed("he2015")[key]["rows"].items():
            *parts, total = (0 if number == "-" else number for number in numbers)
            assert sum(parts) == total, (key, row)


def test_what_is_asked_for_comes_in_the_papers_order() -> None:
    study = study_named("he2015")
    assert [item.key for item in items_of(study, ())] == [item.key for item in study.items]
    assert [item.key for item in items_of(study, ["Figure 3, table5", "table5"])] == ["table5", "figure3"]
    with pytest.raises(ScoreError, match="he2015 has no such table; there are: table3, table4"):
        items_of(study, ["table9"])
    with pytest.raises(ScoreError, match="no paper 'he2014'; there are: he2015"):
        study_named("he2014")
    assert {run.name for run in study.needed(items_of(study, ["table6"]))} == {he2015.BEST}


PARTS = {
    "train": TRAIN,
    "training-PHI-Gold-Set2": TRAIN,
    "testing-PHI-Gold-fixed": TEST,
    "deid_surrogate_train_all_version2.xml": TRAIN,
    "deid_surrogate_test_all_groundtruth_version2.xml": TEST,
    "dev": DEV,
    "Validation": DEV,
    "latest": "",
    "background": "",
    "train-test.jsonl": "",
    ".train": "",
}


@pytest.mark.parametrize(("name", "part"), PARTS.items())
def test_a_part_is_told_by_its_name(name: str, part: str) -> None:
    assert part_named(name) == part


@pytest.mark.parametrize(
    ("release", "study", "train", "test"),
    [("i2b2 2006", "zuccon2013", 2, 1), ("i2b2 2014", "he2015", 3, 1)],
)
def test_a_release_is_read_in_its_parts(release: str, study: str, train: int, test: int, tmp_path: Path) -> None:
    for name, text in RELEASES[release][0].items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_text(text, "utf-8")
    for file in tmp_path.glob("testing*/*.xml"):  # it has no span
        tag = '<NAME id="P0" start="0" end="4" text="Well" TYPE="DOCTOR" comment="" />'
        file.write_text(file.read_text("utf-8").replace("<TAGS>", f"<TAGS>\n{tag}"), "utf-8")
    split = given(STUDIES[study].corpora[0], tmp_path, lambda path: ("", [*read(path)]), 0)
    assert (len(split[TRAIN]), len(split[TEST]), len(split[ALL])) == (train, test, train + test)
    assert {note.language for note in split[ALL]} == {"en"}


def test_notes_without_parts_are_one(tmp_path: Path) -> None:
    (tmp_path / "train").mkdir()
    assert parts_at(tmp_path) == {ALL: [tmp_path]}, "a part that is alone is a name like another"
    (tmp_path / "test").mkdir()
    assert parts_at(tmp_path) == {TRAIN: [tmp_path / "train"], TEST: [tmp_path / "test"]}


@pytest.mark.slow
def test_made_notes_to_test_on_are_of_other_patients() -> None:
    corpus = STUDIES["zuccon2013"].corpus("australian")
    split, told = made(corpus, 0, quick=True)
    train, test = ({note.patient for note in split[part]} for part in (TRAIN, TEST))
    assert train
    assert test
    assert not train & test
    assert (len(split[TRAIN]), len(split[TEST])) == corpus.made.quick
    assert "AGE" not in {span.label for note in split[ALL] for span in note.spans}
    assert "au-pathology, seed 0" in told
    assert made(corpus, 0, quick=True) == (split, told)
    assert made(corpus, 1, quick=True)[0] != split


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(0, "about 5 seconds"), (62, "about 60 seconds"), (600, "about 10 minutes"), (9000, "about 2.5 hours")],
)
def test_a_time_is_told_as_roughly_as_it_is_known(seconds: float, words: str) -> None:
    assert about(seconds) == words


@pytest.mark.parametrize(
    ("cell", "shown"),
    [
        (Cell(0.92319), "0.9232"),
        (Cell(1316, form="count"), "1,316"),
        (Cell(12.044, form="percent"), "12.04 %"),
        (Cell(None), "–"),
    ],
)
def test_a_cell_as_it_is_shown(cell: Cell, shown: str) -> None:
    assert cell.shown(cell.value) == shown


def table(plot: str = "", name: str = "CRF", column: str = "F1") -> Table:
    cells = Cell(0.5, 0.75, 0.4, 0.6), Cell(None), Cell(0.25)
    rows = Row(name, cells), Row("other", (Cell(None), Cell(None), Cell(0.0)))
    return Table("figure1", f"Figure 1: {name}", (column, "none", "half"), rows, (f"See {name}.",), plot)


@pytest.mark.parametrize("plot", ["bars", "dots", "lines", "matrix"])
def test_a_plot_has_its_numbers_and_says_nothing_where_there_are_none(plot: str) -> None:
    shown = plots.drawn(table(plot))
    assert ElementTree.fromstring(shown).tag.endswith("svg")
    assert "nan" not in shown
    assert ("published" in shown) == (plot != "matrix")
    assert plots.drawn(Table("figure1", "", ("F1",), (), plot=plot)) == ""
    assert plots.drawn(table()) == ""


@pytest.mark.parametrize("odd", [*ODD, "\0 & \u202e"])
@pytest.mark.parametrize("plot", ["bars", "dots", "lines", "matrix"])
def test_a_plot_is_xml_whatever_a_label_is(odd: str, plot: str) -> None:
    ElementTree.fromstring(plots.drawn(table(plot, odd, odd)))


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("plot", ["", "bars", "dots", "lines", "matrix"])
def test_a_page_shows_names_as_text_and_asks_for_nothing(odd: str, plot: str) -> None:
    plain = Page(report.render(he2015.STUDY, [table(plot)], ["made notes"]))
    page = Page(report.render(he2015.STUDY, [table(plot, odd, odd)], [odd]))
    assert (page.tags, page.names) == (plain.tags, plain.names)
    assert odd in page.text
    assert not {"script", "img", "link", "iframe", "object"} & set(page.tags)
    assert not {"src", "href", "onload", "action"} & page.names
    assert any("default-src 'none'" in value for value in page.values)
    assert [value for value in page.values if "//" in value] == (["http://www.w3.org/2000/svg"] if plot else [])


@pytest.mark.parametrize("odd", [*ODD, "a | b\n# c", "![x](http://y)", "`<b>`"])
def test_markdown_shows_names_as_text(odd: str) -> None:
    made = table("", odd, odd)
    page = markdown.page(he2015.STUDY, [odd], [(made, *report.printed(made))])
    bare = re.sub(r"\\[\\`*_\[\]<>|~]", "", page)
    assert [line.count("|") for line in bare.splitlines() if line.startswith("|")] == [5, 5, 5, 5, 5]
    assert not re.search(r"[`*_\[<~]", bare)
    assert [line[:2] for line in bare.splitlines() if line.startswith("#")] == ["# ", "##"]
    assert re.sub(r"\s+", " ", page.replace("\\", "")).count(re.sub(r"\s+", " ", odd.replace("\\", ""))) >= 4


def test_csv_has_every_number_with_its_interval() -> None:
    rows = list(csv.DictReader(io.StringIO(report.as_csv(table(name="=1+1")))))
    assert rows[0] == {
        "row": "'=1+1", "column": "F1", "here": "0.5000", "low": "0.4000", "high": "0.6000", "published": "0.7500",
    }  # fmt: skip
    assert [(row["row"], row["column"]) for row in rows[1:]] == [("'=1+1", "half"), ("other", "half")]


def test_long_names_of_a_matrix_fit_into_it() -> None:
    """A capital is 9 wide, and the names of columns lean by 60 degrees."""
    name, cell = "PERSONAL" * 9, Cell(1, form="count")
    root = ElementTree.fromstring(plots.drawn(Table("f", "", (name,), (Row(name, (cell,)),), plot="matrix")))
    column, row = (each for each in root.iter() if each.tag.endswith("text") and each.text and "…" in each.text)
    assert column.text is not None
    width = 9 * (len(column.text) - 1)
    assert float(row.attrib["x"]) >= width
    assert float(column.attrib["y"]) >= width * 0.87
    assert float(column.attrib["x"]) + width * 0.5 <= float(root.attrib["viewBox"].split()[2])


def test_a_terminal_gets_the_largest_confusions_of_a_matrix() -> None:
    cells = Cell(9, form="count"), Cell(3, form="count"), Cell(0, form="count")
    found = Table("figure2", "", ("DATE", "NAME", "AGE"), (Row("DATE", cells),), plot="matrix")
    assert report.printed(found) == (("gold", "system", "count"), [("DATE", "NAME", "3")])

"""The two pages that elision writes show what others have written: it is text there, and never markup."""

from __future__ import annotations

import json
from html.parser import HTMLParser
from pathlib import Path

import pytest

from elision.cli.deidentify import _page
from elision.run.local import report
from elision.run.local.manifest import Manifest
from tests.test_cli import elision

EVIL = "<script>alert(1)</script>"
QUOTES = '"\' onmouseover=\'alert(1)" x="><img src=x onerror=alert(1)>'
ODD = [EVIL, QUOTES, "</pre></section><h1>x", "&lt;b&gt;", "{{ 7 * 7 }}", "-->", "</style><b>"]


class Page(HTMLParser):
    """What a browser would make of a page: its elements, their attributes and its text."""

    def __init__(self, page: str) -> None:
        super().__init__(convert_charrefs=True)
        self.tags: list[str] = []
        self.names: set[str] = set()
        self.values: list[str] = []
        self.text = ""
        self.feed(page)
        self.close()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.tags.append(tag)
        self.names.update(name for name, _ in attrs)
        self.values += [value or "" for _, value in attrs]

    def handle_data(self, data: str) -> None:
        self.text += data


def state(odd: str) -> Manifest:
    """A run in which all that somebody else may have chosen is odd: paths, ids, columns, labels, reasons, settings."""
    spans = {odd: {odd: 3}}
    summary = {"notes": 2, "spans": spans, "warnings": {odd: 1}, "chain": odd, "signature": odd, "key": odd}
    counts = {
        "rows": 2, "characters": 9, "held": 1, "kinds": {odd: 1}, "seconds": 1.0, "summary": summary
    }  # fmt: skip
    return Manifest({"input": odd, odd: "x", "policy": odd}, [{"start": 0, "rows": 2}], begun=odd, counts=counts)


def run_page(odd: str) -> str:
    return report.page(state(odd), [{"note": odd, "column": odd, "row": 0, "why": odd}])


def note_page(odd: str) -> str:
    pieces = [(odd, odd), (f"a {odd} b", "")]
    return _page(pieces, pieces, odd)


@pytest.mark.parametrize("odd", ODD)
@pytest.mark.parametrize("made", [run_page, note_page], ids=["report", "before and after"])
def test_what_a_page_shows_is_text(made: object, odd: str) -> None:
    assert callable(made)
    usual, page = Page(made("plain")), Page(made(odd))
    assert page.tags == usual.tags
    assert page.names == usual.names
    for shown in (page.text, "\n".join(page.values)):
        assert odd in shown  # it is there, as it was written
    assert page.text.count(odd) == usual.text.count("plain")


def test_the_page_of_a_note_keeps_its_markup_harmless(tmp_path: Path) -> None:
    note, page = tmp_path / f"a&{'b' * 3}.txt", tmp_path / "page.html"
    note.write_text(f"Seen by Dr. Quillfeather on 3 May 2001. He said {EVIL} and {QUOTES}. No fever was seen.")
    done = elision(
        "deidentify", note, "--effort", "rules", "--language", "en", "--html", page, "-o", tmp_path / "out.txt"
    )
    assert done.returncode == 0, done.stderr
    raw = page.read_text("utf-8")
    assert "<script" not in raw
    assert "<img" not in raw
    shown = Page(raw)
    assert shown.text.count(EVIL) == 2
    assert not shown.names & {"onmouseover", "onerror", "src"}


def test_the_report_of_a_run_keeps_ids_and_paths_harmless(tmp_path: Path) -> None:
    source, out = tmp_path / "in.jsonl", tmp_path / "a<b>&'\".jsonl"
    rows = [{"id": EVIL, QUOTES: "RR 120/80"}, {"id": "b", QUOTES: "She was seen by Dr. Quillfeather and was well."}]
    source.write_text("".join(json.dumps(row) + "\n" for row in rows))
    done = elision("run", source, "-o", out, "--text", QUOTES, "--id", "id", "--workers", "1", "--effort", "rules")
    if done.returncode == 2:  # names like these may be refused: then there is no page
        assert not out.exists()
        return
    assert done.returncode == 1, done.stderr
    raw = (tmp_path / f"{out.name}.run" / "report.html").read_text("utf-8")
    assert "<script" not in raw
    assert "<img" not in raw
    assert not Page(raw).names & {"onmouseover", "onerror", "src"}


def test_the_report_asks_for_nothing_and_allows_no_script() -> None:
    for page in (run_page("plain"), note_page("plain")):
        assert "Content-Security-Policy" in page
        assert "default-src 'none'" in page or "default-src &#39;none&#39;" in page
        assert "script" not in Page(page).tags
        assert not Page(page).names & {"src", "href"}

"""A review in a real browser, by keyboard alone: annotate, correct, approve, adjudicate, export, learn, audit; and
whether all can use it.

With ELISION_SCREENSHOTS=FOLDER it writes the pictures of docs/review.md there.
"""

from __future__ import annotations

import json
import os
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from elision.document import Document, Span
from elision.formats import read
from elision.review.approved import LEAST
from elision.review.learning import Learning
from elision.review.server import address
from elision.review.store import Store
from elision.taggers.store import load
from tests.review.made import approve, review_of
from tests.review.page import HOSTILE, serving, store_at
from tests.taggers.planted import notes
from tests.test_cli import elision

pytestmark = pytest.mark.slow
CHROMIUM = Path("/usr/bin/chromium")
SHOTS = os.environ.get("ELISION_SCREENSHOTS", "")
FIRST = """Kelp Hospital, ward 4
Patient: Marisol Teague, born 03/05/1961, MRN 4471902.
Seen by Dr. Roe on 3 May 2021 with her daughter Ines. Ms Teague feels well.
She can be called at 555-0142. Dr. Roe will see her again in two weeks."""


def span(words: str, label: str, score: float) -> Span:
    at = FIRST.index(words)
    return Span(at, at + len(words), label, score, "crf")


NOTES = [
    Document(FIRST, "clinic-01", "p1", "en", (
        span("Kelp Hospital", "HOSPITAL", 0.97), span("Marisol", "NAME_PATIENT", 0.93),
        span("03/05/1961", "DATE", 0.71),
        span("Roe", "NAME_CLINICIAN", 0.96), span("3 May 2021", "DATE", 0.99), span("two weeks", "DATE", 0.41),
    )),
    Document("Ms Teague came.\r\nשלום Teague 王小明 👩‍⚕️ Teague.", "clinic-02", "p1", "en"),
    Document(HOSTILE, "clinic-03", "p2", "en", (Span(0, 8, "OTHER", 0.5),)),
]  # fmt: skip


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    playwright = pytest.importorskip("playwright.sync_api", reason="needs playwright: pip install 'elision[ci]'")
    if not CHROMIUM.is_file():
        pytest.skip(f"needs a browser: {CHROMIUM} (apt-get install chromium)")
    with playwright.sync_playwright() as running:
        one = running.chromium.launch(executable_path=str(CHROMIUM), args=["--no-sandbox"])
        yield one
        one.close()


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with store_at(tmp_path, NOTES) as store:
        yield store


class Keys:
    """A page that is told nothing but keys."""

    def __init__(self, browser: Any, url: str, scheme: str = "light", size: tuple[int, int] = (1280, 800)) -> None:
        context = browser.new_context(viewport={"width": size[0], "height": size[1]}, color_scheme=scheme)
        self.wrong: list[str] = []
        self.asked: list[str] = []
        self.page = context.new_page()
        self.page.on("console", lambda said: self.wrong.append(said.text) if said.type == "error" else None)
        self.page.on("pageerror", lambda error: self.wrong.append(str(error)))
        self.page.on("request", lambda request: self.asked.append(request.url))
        self.page.on("dialog", lambda _: self.wrong.append("a dialog"))
        self.page.goto(url)
        self.page.locator("#live:not(:empty)").wait_for()

    def press(self, *keys: str) -> str:
        """Press keys, each once what the one before does is told; what is told last."""
        for key in keys:
            self.page.evaluate("document.getElementById('live').textContent = ''")
            self.page.keyboard.press(key)
            self.page.locator("#live:not(:empty)").wait_for(timeout=5000)
        return self.said()

    def hear(self, words: str) -> None:
        self.page.locator("#live", has_text=words).wait_for(timeout=5000)

    def type(self, *keys: str) -> None:
        for key in keys:
            self.page.keyboard.press(key)

    def said(self) -> str:
        return str(self.page.text_content("#live"))

    def chosen(self) -> str:
        return str(self.page.text_content("#span"))

    def shot(self, name: str) -> None:
        if SHOTS:
            self.page.screenshot(path=str(Path(SHOTS) / f"{name}.png"))


def test_a_note_is_annotated_corrected_and_approved_by_keyboard_alone(browser: Any, store: Store) -> None:
    with serving(store) as served:
        keys = Keys(browser, address(served.door))
        assert "Kelp Hospital" in keys.chosen()
        keys.press("y", "n")
        assert "Marisol" in keys.chosen()
        keys.press("r")  # its end, a word on: the family name
        assert "Marisol Teague" in keys.chosen()
        keys.press("n")
        keys.type("l", *"birth")
        keys.press("Enter")
        assert "DATE_BIRTH" in keys.chosen()
        keys.press("n")  # Roe
        keys.type("a")
        assert "Roe: NAME_CLINICIAN" in str(keys.page.text_content("#scope"))
        assert "Changed 2 spans in 1 note." in keys.press("1")
        keys.press("p", "N")
        assert "3 May" in keys.chosen()
        keys.press("N")
        assert "two weeks" in keys.chosen()
        assert keys.press("x") == "Refused: DATE."
        assert keys.press("u") == "Undone in 1 note."
        assert keys.press("U") == "Done again in 1 note."
        keys.type("/", *"teague")
        assert keys.press("Enter") == "Found: 1 of 5."
        keys.press("m")  # the second: Ms Teague, selected
        assert keys.press("1") == "Added: NAME_PATIENT."
        keys.type("a")
        assert "Changed" in keys.press("3")
        keys.shot("review")
        assert "[NAME]" in (keys.press("b") and str(keys.page.text_content("#note")))
        keys.press("b")
        keys.press("Enter")
        keys.hear("Approved. The next note is shown.")
        assert "clinic-02" in str(keys.page.text_content("#title"))
        keys.press("Enter")
        keys.hear("Approved. The next note is shown.")
        assert "<script>alert(1)</script></textarea>" in str(keys.page.text_content("#note"))
        assert keys.wrong == []
        assert all(url.startswith(f"http://{served.host}/") for url in keys.asked)
        assert not [url for url in keys.asked if "eague" in url]
        assert not keys.page.evaluate("localStorage.length + sessionStorage.length")
        keys.page.context.close()
    first, second = store.reviewed("ann")
    assert [(first.text_of(one), one.label) for one in first.spans] == [
        ("Kelp Hospital", "HOSPITAL"), ("Marisol Teague", "NAME_PATIENT"), ("03/05/1961", "DATE_BIRTH"),
        ("Roe", "NAME_CLINICIAN"), ("3 May 2021", "DATE"), ("Teague", "NAME_PATIENT"), ("Roe", "NAME_CLINICIAN"),
    ]  # fmt: skip
    assert [(second.text_of(one), one.label) for one in second.spans] == [("Teague", "NAME_PATIENT")] * 3


def test_what_another_page_has_changed_is_not_overwritten_and_not_lost(browser: Any, store: Store) -> None:
    with serving(store) as served:
        keys = Keys(browser, address(served.door))
        store.decide(1, "ann", _no(store), 0)
        assert "changed meanwhile" in keys.press("y")
        assert keys.page.is_visible("#unsaved")
        assert keys.press("s") == "Saved."
        assert not keys.page.is_visible("#unsaved")
        keys.page.context.close()


def _no(store: Store) -> Any:
    from elision.review.edits import refuse

    sheet = store.pass_of(1, "ann").sheet
    return refuse(sheet, sheet.marks[1].place)


def test_an_adjudicator_decides_by_keyboard(browser: Any, store: Store) -> None:
    for name, wanted in (("ann", "DATE_BIRTH"), ("ben", "DATE")):
        with serving(store, name) as page:
            page.enter()
            start = FIRST.index("03/05")
            page.do(1, "label", start=start, end=start + 10, label="DATE", to=wanted)
            page.do(1, "approve")
    with serving(store, "cy", adjudicates=True) as served:
        keys = Keys(browser, address(served.door))
        assert "DATE_BIRTH: 03/05/1961" in keys.chosen()
        keys.shot("adjudicate")
        assert keys.press("Alt+a") == "Took the version of ann."
        keys.press("Enter")
        keys.hear("Approved. All notes are approved.")
        assert keys.wrong == []
        keys.page.context.close()
    (final,) = store.adjudicated()
    assert "DATE_BIRTH" in [one.label for one in final.spans]


def test_what_was_approved_is_exported_and_learnt_from_by_keyboard(
    browser: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    words = Learning.words
    if not SHOTS:  # quicker than is good
        monkeypatch.setattr(Learning, "words", lambda *given: [*words(*given), "--made", "10", "--epochs", "1"])
    monkeypatch.chdir(tmp_path)
    made = notes(LEAST + 4)
    folder = review_of(Path("notes.review"), [note.with_spans([Span(0, 4, "OTHER", 0.5)]) for note in made])
    approve(folder, "ann", made[: LEAST - 1])
    with Store.open(folder) as store, serving(store) as served:
        keys = Keys(browser, address(served.door))
        assert "Not begun: 19 notes are approved, and 20 are the least" in keys.press("t", "2")
        keys.type("Escape")
        keys.press("x", "Enter")
        keys.hear("Approved. The next note is shown.")
        keys.press("t")
        assert "20 of 24 approved" in str(keys.page.text_content("#done-count"))
        assert keys.press("1") == f"Wrote 20 notes to {folder / 'approved.jsonl'}."
        assert keys.press("2").startswith("Learning goes on.")
        keys.type("Escape")
        keys.press(".")
        at = str(keys.page.text_content("#title"))  # a note that nobody has begun: it gets the model's spans
        keys.page.locator("#live", has_text="The model is in").wait_for(timeout=600_000)
        assert str(keys.page.text_content("#title")) == at
        assert "OTHER" not in str(keys.page.text_content("#note"))
        keys.type("t")
        keys.page.locator("#learnt-said", has_text="more notes").wait_for()
        for _ in range(100):  # until its end is in sight
            keys.page.wait_for_timeout(50)
            if keys.page.evaluate("document.getElementById('learnt-said').scrollTop"):
                break
        else:
            raise AssertionError("the end is not in sight")
        keys.shot("learn")
        assert keys.page.evaluate(CONTRAST) == []
        assert keys.page.evaluate(NAMELESS) == []
        assert [one for one in keys.wrong if "422" not in one] == []  # too few to learn from: answered with 422
        keys.page.context.close()
    assert load(folder / "model").card["review"]["notes"] == LEAST
    assert len(list(read(folder / "approved.jsonl"))) == LEAST


def test_an_audit_is_read_by_keyboard_and_its_report_can_be_used(browser: Any, tmp_path: Path) -> None:
    rows = [{"id": f"n{at}", "text": f"Seen by Dr. Roe, visit {at}. She is well."} for at in range(6)]
    (tmp_path / "out.jsonl").write_text("".join(json.dumps(row) + "\n" for row in rows))
    sample = tmp_path / "audit"
    words = ("--text", "text", "--id", "id", "--notes", "4", "--out", sample, "--review")
    drawn = elision("audit", "sample", tmp_path / "out.jsonl", *words)
    assert drawn.returncode == 0, drawn.stderr
    with Store.open(sample / "review", make=False) as store, serving(store) as served:
        keys = Keys(browser, address(served.door))
        keys.type("/", *"roe")
        assert keys.press("Enter") == "Found: 1 of 4."
        keys.type("l", *"clinician")
        assert keys.press("Enter") == "Added: NAME_CLINICIAN."
        for _ in range(3):
            keys.press("Enter")
            keys.hear("Approved. The next note is shown.")
        keys.press("Enter")
        keys.hear("Approved. All notes are approved.")
        keys.page.context.close()
    page = tmp_path / "audit.html"
    told = elision("audit", "report", sample, "--html", page, "--at-most-leaking", "90%")
    assert told.returncode == 0, told.stderr
    for scheme in ("light", "dark"):
        context = browser.new_context(color_scheme=scheme)
        shown = context.new_page()
        shown.goto(page.as_uri())
        assert "NAME_CLINICIAN" in str(shown.text_content("body"))
        assert shown.evaluate(CONTRAST) == []
        assert shown.evaluate(NAMELESS) == []
        assert shown.evaluate(BROKEN) == []
        context.close()


CONTRAST = """() => {
  const line = (v) => v <= .03928 ? v / 12.92 : ((v + .055) / 1.055) ** 2.4;
  const light = (rgb) => { const [r, g, b] = rgb.map((v) => line(v / 255)); return .2126 * r + .7152 * g + .0722 * b; };
  const parse = (text) => text.match(/[\\d.]+/g).map(Number);
  const back = (e) => {
    for (; e; e = e.parentElement) {
      const c = parse(getComputedStyle(e).backgroundColor);
      if (c.length < 4 || c[3] > 0) return c.slice(0, 3);
    }
    return [255, 255, 255];
  };
  const low = [];
  for (const e of document.querySelectorAll("body *")) {
    if (![...e.childNodes].some((n) => n.nodeType === 3 && n.data.trim()) || !e.checkVisibility()) continue;
    const ink = light(parse(getComputedStyle(e).color).slice(0, 3));
    const [a, b] = [ink, light(back(e))].sort((x, y) => y - x);
    if ((a + .05) / (b + .05) < 4.5) low.push(e.tagName + " " + e.id);
  }
  return low;
}"""
NAMELESS = """() => [...document.querySelectorAll("button, input, [role], [tabindex], nav, aside, dialog, progress")]
  .filter((e) => !(e.getAttribute("aria-label") || e.textContent.trim() || e.labels?.length
    || document.getElementById(e.getAttribute("aria-labelledby"))?.textContent
    || ["status", "search"].includes(e.getAttribute("role"))))
  .map((e) => e.outerHTML.slice(0, 80))"""
BROKEN = """() => [...document.querySelectorAll("[aria-labelledby], [aria-describedby], [aria-controls], label[for]")]
  .flatMap((e) => ["aria-labelledby", "aria-describedby", "aria-controls", "for"].map((n) => e.getAttribute(n)))
  .filter((id) => id && !document.getElementById(id))"""
FOCUS = """() => { const e = document.activeElement, s = getComputedStyle(e);
  return [e.id || e.tagName, s.outlineStyle, parseFloat(s.outlineWidth)]; }"""


CURRENT_IN_SIGHT = """() => {
  const box = document.querySelector("#queue [aria-current]").getBoundingClientRect();
  return document.elementFromPoint(box.left + box.width / 2, box.top + box.height / 2)?.ariaCurrent === "true";
}"""
IN_SIGHT = """() => [...document.querySelectorAll("#usual li, #keys dt, #keys dd, #span p, #span td")].filter((one) => {
    const box = one.getBoundingClientRect();
    const [x, y] = [box.left + 4, (box.top + box.bottom) / 2];
    return box.bottom > innerHeight || !one.contains(document.elementFromPoint(x, y));
}).map((one) => one.textContent)"""


@pytest.mark.parametrize("adjudicates", [False, True])
def test_span_labels_and_keys_are_in_sight_without_scrolling(browser: Any, store: Store, adjudicates: bool) -> None:
    for who in ("ann", "ben"):
        with serving(store, who) as served:
            keys = Keys(browser, address(served.door))
            keys.press("Enter")
    with serving(store, "cy", adjudicates=adjudicates) as served:
        keys = Keys(browser, address(served.door))
        if adjudicates:
            keys.press("n")
        assert keys.page.locator("#usual li").count() == 9
        assert keys.page.locator("#keys dt").count() >= 16
        assert keys.page.evaluate(IN_SIGHT) == []


@pytest.mark.parametrize(("width", "height"), [(1280, 800), (640, 400)])  # as they are, and at 200 %
def test_the_text_has_room_and_the_queue_shows_where_one_is(
    browser: Any, tmp_path: Path, width: int, height: int
) -> None:
    notes = [replace(NOTES[0], id=f"clinic-{at:03}") for at in range(60)]
    with store_at(tmp_path, notes) as store, serving(store) as served:
        keys = Keys(browser, address(served.door), size=(width, height))
        for _ in range(40):
            keys.press(".")
        assert "clinic-040" in str(keys.page.text_content("#title"))
        box = keys.page.locator("#note").bounding_box()
        assert (box["width"] > 0.5 * width, box["height"] > 0.4 * height) == (True, True)
        assert keys.page.evaluate(CURRENT_IN_SIGHT)
        assert keys.page.evaluate("document.documentElement.scrollWidth <= innerWidth")
        assert "press , for the note before" in keys.press("u")
        keys.page.context.close()


@pytest.mark.parametrize("scheme", ["light", "dark"])
def test_everybody_can_use_it(browser: Any, store: Store, scheme: str) -> None:
    with serving(store) as served:
        keys = Keys(browser, address(served.door), scheme)
        page = keys.page
        assert page.evaluate("document.documentElement.lang") == "en"
        assert page.evaluate("document.title")
        for landmark in ("header", "nav", "main", "aside", "[role=search]", "h1", "[role=status][aria-live=polite]"):
            assert page.locator(landmark).count() == 1, landmark
        assert page.evaluate(NAMELESS) == []
        assert page.evaluate(BROKEN) == []
        assert page.evaluate(CONTRAST) == []
        ids = page.evaluate("[...document.querySelectorAll('[id]')].map((e) => e.id)")
        assert len(ids) == len(set(ids))
        page.focus("#words")
        order = []
        for _ in range(7):
            name, style, width = page.evaluate(FOCUS)
            assert (style, width >= 2) == ("solid", True), name
            order.append(name)
            page.keyboard.press("Tab")
        assert order == ["words", "BUTTON", "BUTTON", "BUTTON", "note", "span-part", "keys"]
        page.focus("#note")
        keys.type("l")
        assert page.get_attribute("#wanted", "aria-activedescendant") == "option-0"
        assert page.get_attribute("#option-0", "aria-selected") == "true"
        assert page.evaluate(CONTRAST) == []
        assert keys.wrong == []
        page.context.close()

"""The page lets one browser of this machine in, keeps notes where they are shown, and does what it is asked."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from elision.document import Document, Span
from elision.review import edits
from elision.review.desk import Desk
from elision.review.gate import CSP, ENTER, Door
from elision.review.learning import Learning
from elision.review.marks import Place
from elision.review.server import listening, server
from elision.review.store import Store
from tests.review.page import HOSTILE, NOTES, Page, serving, store_at
from tests.serve.client import Loopback

ROE = {"start": 12, "end": 15, "label": "NAME_CLINICIAN"}


@pytest.fixture
def store(tmp_path: Path) -> Iterator[Store]:
    with store_at(tmp_path) as store:
        yield store


def spans(page: Page, position: int) -> list[tuple[str, str, str]]:
    return [(one["text"], one["label"], one["state"]) for one in page.get(f"/api/note/{position}").json["marks"]]


def test_the_address_opens_once(store: Store) -> None:
    with serving(store) as page:
        assert page.get("/").status == 401
        assert page.raw("GET", f"{ENTER}?token=wrong", {}).status == 401
        answer = page.enter()
        assert (answer.status, answer.headers["location"]) == (303, "/")
        assert "HttpOnly; SameSite=Strict" in answer.headers["set-cookie"]
        assert page.get("/").status == 200
        assert page.raw("GET", f"{ENTER}?token={page.door.token}", {}).status == 401
        assert page.get("/api/queue", Cookie=f"{page.door.cookie}=guessed").status == 401


def test_it_says_so_when_it_listens(store: Store) -> None:
    with listening(0) as listener:
        where = listener.getsockname()
        heard: list[int] = []

        def listens() -> None:
            with Loopback() as one:
                heard.append(one.connect_ex(where))
            running.should_exit = True

        running = server(Desk(store, "ann", lambda note: note), Door(where[1]), Learning(store), listens)
        with Loopback() as one:
            assert one.connect_ex(where)  # not yet
        running.run(sockets=[listener])
    assert heard == [0]


def test_other_names_and_pages_of_elsewhere_are_refused(page: Page) -> None:
    assert page.get("/", Host="evil.example").status == 403
    assert page.get("/", Host=f"127.0.0.1.evil.example:{page.door.port}").status == 403
    assert page.get("/api/queue", **{"Sec-Fetch-Site": "cross-site"}).status == 403
    ask = {"do": "approve", "version": 0}
    assert page.post("/api/note/1", ask, Origin="http://evil.example").status == 403
    assert page.post("/api/note/1", ask, Origin="null").status == 403
    assert page.post("/api/note/1", ask, Origin=f"http://127.0.0.1:{page.door.port + 1}").status == 403
    assert page.post("/api/note/1", ask, Content_Type="text/plain").status == 400
    bare = {"Cookie": page.cookie, "Content-Type": "application/json"}
    assert page.raw("POST", "/api/note/1", bare, b'{"do":"approve","version":0}').status == 403
    assert list(page.desk.store.log()) == []


@pytest.mark.parametrize(
    "path", ["/", "/review.js", "/review.css", "/api/queue", "/api/note/3", "/none", "/api/note/99"]
)
def test_every_answer_stays_on_its_page(page: Page, path: str) -> None:
    headers = page.get(path).headers
    assert headers["cache-control"] == "no-store"
    assert headers["content-security-policy"] == CSP
    assert "unsafe" not in CSP
    assert headers["x-content-type-options"] == "nosniff"
    assert "server" not in headers


def test_the_page_has_nothing_in_line_and_nothing_from_elsewhere(page: Page) -> None:
    html = page.get("/").body.decode()
    assert "<style" not in html
    assert "style=" not in html
    assert "http" not in html
    assert "></script>" in html
    script = page.get("/review.js").body.decode()
    assert not [
        word
        for word in ("innerHTML", "outerHTML", "insertAdjacent", "eval(", ".length - text", "http:")
        if word in script
    ]


def test_hostile_text_is_data_and_shown_as_what_it_is(page: Page) -> None:
    answer = page.get("/api/note/3")
    assert answer.headers["content-type"] == "application/json"
    shown = "".join(piece["text"] for piece in answer.json["pieces"])
    assert shown == HOSTILE.replace("\0", "␀").replace("\u202e", "⟦U+202E⟧").replace("\r\n", "\n")
    assert answer.json["pieces"][-1]["end"] == len(HOSTILE)


def test_wrong_requests_are_refused_and_quote_nothing(page: Page) -> None:
    bodies: list[Any] = [
        {"do": "approve"},
        {"do": "Roe", "version": 0},
        {"do": "add", "version": 0, "more": "Roe"},
        [],
        "Roe",
    ]
    for body in bodies:
        answer = page.post("/api/note/1", body)
        assert answer.status == 400
        assert b"Roe" not in answer.body
    assert page.do(1, "add", start=0, end=4, label="NO_SUCH").status == 400
    assert page.do(1, "add", start=0, end=10_000, label="DATE").status == 422
    assert page.do(1, "accept", start=0, end=1, label="DATE").status == 422
    assert page.post("/api/note/99", {"do": "approve", "version": 0}).status == 404


def test_accept_refuse_label_and_move(page: Page) -> None:
    page.do(1, "accept", **ROE)
    assert spans(page, 1) == [("Roe", "NAME_CLINICIAN", "accepted")]
    page.do(1, "label", **ROE, to="NAME_PATIENT")
    assert spans(page, 1) == [("Roe", "NAME_PATIENT", "accepted")]
    page.do(1, "move", start=12, end=15, label="NAME_PATIENT", edge="start", way=-1)
    page.do(1, "move", start=10, end=15, label="NAME_PATIENT", edge="end", by="character", way=-1)
    page.do(1, "refuse", start=10, end=14, label="NAME_PATIENT")
    assert spans(page, 1)[0][2] == "refused"
    page.do(1, "add", start=19, end=24, label="DATE")
    page.do(1, "approve")
    assert [note.spans for note in page.desk.store.reviewed("ann")] == [(Span(19, 24, "DATE"),)]


def test_spans_that_would_overlap_are_refused_and_those_within_are_taken_up(page: Page) -> None:
    answer = page.do(1, "add", start=13, end=20, label="DATE")
    assert (answer.status, answer.json["error"]) == (422, "unsupported")
    page.do(1, "add", start=8, end=16, label="NAME_OTHER")
    assert spans(page, 1) == [("Dr. Roe", "NAME_OTHER", "accepted")]


@pytest.mark.parametrize(
    ("where", "counts"),
    [("note", {"spans": 2, "notes": 1, "approved": 0}), ("patient", {"spans": 4, "notes": 2, "approved": 0}),
     ("everywhere", {"spans": 6, "notes": 3, "approved": 0})],
)  # fmt: skip
def test_the_same_words_elsewhere(page: Page, where: str, counts: dict[str, int]) -> None:
    answer = page.do(1, "alike", **ROE, where=where)
    assert answer.json["told"] == counts
    assert [one[1:] for one in spans(page, 1)] == [("NAME_CLINICIAN", "accepted")] * 2
    page.do(1, "undo")
    assert [one[1:] for one in spans(page, 1)] == [("NAME_CLINICIAN", "predicted")]
    assert spans(page, 2) == [("Roe", "NAME_PATIENT", "predicted")]


def test_approved_notes_stay_as_they_are_when_the_same_words_are_marked_everywhere(page: Page) -> None:
    page.do(2, "approve")
    assert page.do(1, "alike", **ROE, where="everywhere").json["told"] == {"spans": 4, "notes": 2, "approved": 1}
    assert spans(page, 2) == [("Roe", "NAME_PATIENT", "accepted")]


def test_a_stale_change_is_refused_and_the_note_of_now_comes_with_it(page: Page) -> None:
    page.do(1, "accept", **ROE)
    answer = page.do(1, "refuse", **ROE, version=0)
    assert (answer.status, answer.json["error"]) == (409, "stale")
    assert answer.json["note"]["marks"][0]["state"] == "accepted"


def test_looking_at_notes_approves_nothing(page: Page) -> None:
    for position in (1, 2, 3):
        page.get(f"/api/note/{position}")
    assert page.get("/api/queue").json["done"] == 0
    assert list(page.desk.store.reviewed("ann")) == []


def test_search_and_after(page: Page) -> None:
    hits = page.post("/api/search", {"words": "roe"}).json["hits"]
    assert [hit["position"] for hit in hits] == [1, 1, 2, 2, 3, 3]
    pieces = page.get("/api/note/1/replaced").json["pieces"]
    assert "".join(piece["text"] for piece in pieces) == "Seen by Dr. [NAME] on 3 May. [NAME] is well."


def test_an_adjudicator_sees_both_sides_and_all_that_anybody_marked_is_proposed(store: Store) -> None:
    for name, extra in (("ann", [(19, 24, "DATE")]), ("ben", [(19, 22, "DATE"), (26, 29, "NAME_PATIENT")])):
        with serving(store, name) as page:
            page.enter()
            for start, end, label in extra:
                page.do(1, "add", start=start, end=end, label=label)
            page.do(1, "approve")
            assert len(spans(page, 1)) == 1 + len(extra)  # blind: of the other's nothing
    with serving(store, "cy", adjudicates=True) as page:
        page.enter()
        assert [one["position"] for one in page.get("/api/queue").json["notes"]] == [1]
        marks: list[dict[str, Any]] = page.get("/api/note/1").json["marks"]
        assert [one["state"] for one in marks] == ["accepted", "predicted", "predicted"]
        assert [side["spans"] for side in marks[1]["sides"]] == [
            [{"label": "DATE", "text": "3 May"}], [{"label": "DATE", "text": "3 M"}],
        ]  # fmt: skip
        assert page.do(1, "choose", start=26, end=29, label="NAME_PATIENT", who="ann").status == 200
        assert spans(page, 1)[2][2] == "refused"
        page.do(1, "undo")
        page.do(1, "approve")
    (final,) = store.adjudicated()
    assert final.spans == (Span(12, 15, "NAME_CLINICIAN"), Span(19, 24, "DATE"), Span(26, 29, "NAME_PATIENT"))


def test_an_adjudicator_sees_only_what_was_approved(store: Store) -> None:
    for name in ("ann", "ben", "dan"):
        with serving(store, name) as page:
            page.enter()
            page.do(1, "add", start=26, end=29, label="NAME_PATIENT") if name == "dan" else page.do(1, "approve")
            if name == "ann":
                page.do(2, "approve")
    with serving(store, "cy", adjudicates=True) as page:
        page.enter()
        assert [one["position"] for one in page.get("/api/queue").json["notes"]] == [1]  # ann alone approved the second
        assert [text for text, *_ in spans(page, 1)] == ["Roe"]  # and dan is not done


def test_what_is_settled_was_not_changed_since_it_was_shown(store: Store) -> None:
    passes = []
    for name in ("ann", "ben"):
        with serving(store, name) as page:
            page.enter()
            page.do(1, "approve")
            passes.append(page.desk)
    with serving(store, "cy", adjudicates=True) as page:
        page.enter()
        shown = page.get("/api/note/1").json["version"]
        passes[0].undo(1, store.pass_of(1, "ann").version)
        assert page.do(1, "approve", version=shown).status == 409


@pytest.mark.slow
def test_what_a_script_decides_on_a_thousand_notes_is_what_comes_out(tmp_path: Path) -> None:
    notes = [
        Document(
            f"Note {n} of Roe on {n % 28 + 1} May.",
            str(n),
            spans=(Span(8 + len(str(n)), 11 + len(str(n)), "NAME_OTHER"),),
        )
        for n in range(1000)
    ]
    wanted: dict[str, tuple[Span, ...]] = {}
    with store_at(tmp_path, notes) as store:
        desk = _desk(store)
        for at, note in enumerate(notes, 1):
            decide(desk, at, note, wanted)
        assert {note.id: note.spans for note in store.reviewed("ann")} == wanted
    with Store.open(tmp_path / "notes.review", make=False) as again:
        assert {note.id: note.spans for note in again.reviewed("ann")} == wanted


def _desk(store: Store) -> Desk:
    return Desk(store, "ann", lambda document: document)


def decide(desk: Desk, at: int, note: Document, wanted: dict[str, tuple[Span, ...]]) -> None:
    (name,) = note.spans
    place = Place(name.start, name.end, name.label)
    kept = (Span(name.start, name.end, "NAME_PATIENT"),) if at % 2 else ()
    if at % 2:
        desk.decide(at, 0, lambda _, sheet: edits.relabel(sheet, place, "NAME_PATIENT"))
    else:
        desk.decide(at, 0, lambda _, sheet: edits.refuse(sheet, place))
    if at % 5 == 0:
        day = Span(note.text.index(" on ") + 4, len(note.text) - 1, "DATE")
        kept = (*kept, day)
        version = desk.store.pass_of(at, "ann").version
        desk.decide(at, version, lambda document, sheet: edits.add(document, sheet, day.start, day.end, "DATE"))
    desk.decide(at, desk.store.pass_of(at, "ann").version, lambda _, sheet: edits.approve(sheet))
    wanted[note.id] = kept


def test_notes_are_as_they_were(store: Store) -> None:
    assert list(store.notes()) == NOTES


def test_the_labels_of_the_notes_have_keys_first(tmp_path: Path) -> None:
    spans = tuple(Span(at, at + 1, label) for at, label in enumerate(["OURS", "OURS", "CITY", "NAME_PATIENT", "OURS"]))
    with store_at(tmp_path, [Document("abcdef", "1", spans=spans)]) as store, serving(store) as page:
        page.enter()
        usual = page.get("/api/queue").json["usual"]
    assert usual[:3] == ["NAME_PATIENT", "CITY", "OURS"]
    assert len(set(usual)) == len(usual) == 9
    assert "DATE" in usual


def test_of_more_labels_than_keys_the_most_frequent_have_one(tmp_path: Path) -> None:
    labels = [f"L{at}" for at in range(12)] + [f"L{at}" for at in range(3, 12)]
    spans = tuple(Span(at, at + 1, label) for at, label in enumerate(labels))
    with store_at(tmp_path, [Document("x" * 30, "1", spans=spans)]) as store, serving(store) as page:
        assert sorted(page.desk.usual()) == sorted(f"L{at}" for at in range(3, 12))

"""The newcomer: from the installed program to the first reviewed note, over HTTP as the page asks, by docs/review.md.

    python -m tests.walks.newcomer FOLDER

It prints how many seconds that took, the encoder loaded.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from http.client import HTTPConnection
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

from tests.walks.walking import Walk, expect

NOTE = "Seen by Dr. Jane Quillfeather on 3 May 2001. Phone 555-0134."
MOST = 300  # seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    walk = Walk(parser.parse_args().folder)
    (walk.folder / "notes").mkdir()
    (walk.folder / "notes" / "first.txt").write_text(NOTE, "utf-8")
    began = time.monotonic()
    opens = [sys.executable, "-m", "elision", "review", "open", "notes", "--no-open", "--default-language", "en"]
    with subprocess.Popen(opens, cwd=walk.folder, stderr=subprocess.PIPE, text=True) as page:
        try:
            spans = reviewed(address_of(page))
        finally:
            page.terminate()
    walk.elision("review export notes.review gold.jsonl")
    took = time.monotonic() - began
    (row,) = map(json.loads, (walk.folder / "gold.jsonl").read_text("utf-8").splitlines())
    marked = {NOTE[span["start"] : span["end"]] for span in row["spans"]}
    expect(len(row["spans"]) == spans, f"{len(row['spans'])} spans came out, not {spans}")
    expect(any("Quillfeather" in words for words in marked), "the name is not among what was approved")
    expect(took < MOST, f"it took {took:.0f} seconds, more than {MOST}")
    print(f"the first note was reviewed and written after {took:.0f} seconds")


def address_of(page: subprocess.Popen[str]) -> str:
    """The address that the command prints once it listens."""
    assert page.stderr
    for line in page.stderr:
        if "/enter?token=" in line:
            return line[line.index("http://") :].strip()
    sys.exit("walk: elision review printed no address")


def reviewed(address: str) -> int:
    """Enter, accept all that was found in the first note, and approve it; how many spans."""
    place = urlsplit(address)
    _, cookie = asked(place.netloc, "GET", f"{place.path}?{place.query}")
    queue, _ = asked(place.netloc, "GET", "/api/queue", cookie)
    at = queue["notes"][0]["position"]
    note, _ = asked(place.netloc, "GET", f"/api/note/{at}", cookie)
    answer, _ = asked(place.netloc, "POST", f"/api/note/{at}", cookie, {"do": "approve", "version": note["version"]})
    expect(answer["note"]["approved"], "the note is not approved")
    return len(note["marks"])


def asked(place: str, method: str, path: str, cookie: str = "", body: Any = None) -> tuple[Any, str]:
    """What the page answers, and the cookie that it sets."""
    connection = HTTPConnection(place, timeout=60)
    headers = {"Cookie": cookie, "Origin": f"http://{place}", "Content-Type": "application/json"}
    connection.request(method, path, json.dumps(body) if body else None, headers)
    answer = connection.getresponse()
    said = answer.read()
    expect(answer.status in (200, 303), f"{method} was answered with {answer.status}")
    cookie = (answer.getheader("Set-Cookie") or "").partition(";")[0]
    connection.close()
    return (json.loads(said) if path.startswith("/api") else None), cookie


if __name__ == "__main__":
    main()

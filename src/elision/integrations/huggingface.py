"""A token-classification model of Hugging Face in a folder of one's own, as a kind of taggers.

    elision deidentify note.txt --model my-bert/

The folder holds config.json, tokenizer.json, model.safetensors and, unless its labels are those of a tag set that
elision knows, labels.toml: a tag set that says what each label is (as examples/our-hospital.toml does). Weights in
pickles are not read, code in the folder is not run, and nothing is looked up on the net.

Long notes are read in windows that overlap; each word takes its tags from the window in which it stands nearest to the
middle, by the first of its pieces. A note of which the tokeniser leaves a letter or digit unread is held.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from threading import Lock
from typing import Any, ClassVar

import numpy as np
import numpy.typing as npt

from elision.bio import OUTSIDE
from elision.errors import LabelError, MissingExtraError, ModelError
from elision.labels import TagSet, guess_tag_set, tag_set
from elision.taggers.base import Tagger
from elision.taggers.batch import Batch
from elision.taggers.calibration import Calibration
from elision.taggers.chain import Chain, Floats, Tags
from elision.taggers.chained import ChainTagger

CONFIG, TOKENIZER, WEIGHTS, LABELS = "config.json", "tokenizer.json", "model.safetensors", "labels.toml"
LONGEST = 512  # pieces of a window, if the model does not say less
SHARE = 4  # of a window, the part in which the next one overlaps it
TOGETHER = 8  # windows that are read at once
BEGINS, GOES_ON = ("B", "S", "U"), ("I", "E", "L", "M")  # how tags say that a span begins, or goes on

Places = npt.NDArray[np.int64]


@dataclass(frozen=True, slots=True)
class Chosen:
    """What can be chosen about it."""

    kind: ClassVar[str] = "hugging-face"
    language: str = ""
    cut: str = "fine"
    dial: float = 1.0
    trainer: str = ""
    epochs: int = 1
    seeds: int = 1
    seed: int = 0

    def __post_init__(self) -> None:
        if not 0 < self.dial <= 1e6:
            raise ModelError(f"dial {self.dial}: must be more than 0; 1 changes nothing, less finds more")


@dataclass(frozen=True, eq=False)
class HuggingFaceTagger(ChainTagger):
    """Somebody else's model; `load` reads one."""

    settings: Chosen
    folder: Path
    chain: Chain = field(repr=False)
    ways: Floats = field(repr=False)  # from what the model says to tags
    tokenizer: Any = field(repr=False)
    network: Any = field(repr=False)
    calibration: Calibration = field(default_factory=Calibration)
    card: Mapping[str, Any] = field(default_factory=dict, repr=False)
    version: str = ""
    lock: Lock = field(default_factory=Lock, repr=False)  # a tokeniser of theirs is set anew for each text
    together: ClassVar[int] = 1 << 17

    @property
    def source(self) -> str:
        return self.folder.name

    def save(self, folder: Path, *, overwrite: bool = False) -> int:  # noqa: ARG002
        raise ModelError(f"{folder}: a model of Hugging Face is not written; copy its folder, {self.folder}")

    def tags(self, batch: Batch) -> tuple[Tags, Floats]:
        """A tag for each token, and the shares that make the scores of spans."""
        if not len(batch):
            return np.zeros(0, np.uint8), np.zeros(0, np.float32)
        chances = np.concatenate([self._chances(batch, note) for note in range(len(batch.notes) - 1)])
        outside, begins, goes_on = np.split(chances, [1, 1 + len(self.chain.names)], axis=1)
        labels = begins + goes_on  # some models never say that a span begins
        best = labels.argmax(axis=1)
        row = np.arange(len(batch))
        here = outside[:, 0] * np.float32(self.settings.dial) < labels[row, best]
        tag = 1 + best + np.where(begins[row, best] > goes_on[row, best], 0, labels.shape[1])
        return np.where(here, tag, 0).astype(np.uint8), np.where(here, labels[row, best], outside[:, 0])

    def _chances(self, batch: Batch, note: int) -> Floats:
        """How likely each tag is of each token of a note."""
        tokens = batch.tokens_of(note)
        found = np.zeros((len(tokens), len(self.chain.tags)), np.float32)
        if not len(tokens):
            return found
        text = batch.text[batch.edges[note] : batch.edges[note + 1]].removesuffix("\n")
        nearest = np.full(len(tokens), -1.0)
        for starts, ends, said in self._words(text):
            first = np.searchsorted(tokens.ends, starts, side="right")
            after = np.searchsorted(tokens.starts, ends)
            middle = (len(starts) - 1) / 2
            near = middle + 1 - np.abs(np.arange(len(starts)) - middle)
            for word in range(len(starts)):
                within = np.arange(first[word], after[word])
                within = within[nearest[within] < near[word]]
                nearest[within] = near[word]
                found[within] = self._onward(said[word])
                if len(within) and within[0] == first[word] and tokens.starts[within[0]] >= starts[word]:
                    found[within[0]] = said[word]
        begin = int(batch.notes[note])
        if (nearest[batch.wordy[begin : begin + len(tokens)]] < 0).any():
            raise ModelError(f"{self.folder}: its tokeniser leaves parts of a note unread")
        found[nearest < 0, self.chain.outside] = 1.0
        return found

    def _onward(self, said: Floats) -> Floats:
        """The same word, further on: what would begin goes on."""
        found = said.copy()
        for at, before in enumerate(self.chain.before.tolist()):
            if before >= 0:
                found[at] += found[before]
                found[before] = 0.0
        return found

    def _words(self, text: str) -> Iterator[tuple[Places, Places, Floats]]:
        """Windows of a text: where each word begins and ends, and how likely each tag is of it."""
        import torch

        size = min(LONGEST, int(self.tokenizer.model_max_length), _places(self.network.config))
        with self.lock:
            read = self.tokenizer(
                text, truncation=True, max_length=size, stride=size // SHARE, return_overflowing_tokens=True,
                return_offsets_mapping=True, add_special_tokens=True,
            )  # fmt: skip
            windows = [(read.word_ids(at), read["offset_mapping"][at]) for at in range(len(read["input_ids"]))]
        numbers = read["input_ids"]
        for begin in range(0, len(numbers), TOGETHER):
            part = numbers[begin : begin + TOGETHER]
            longest = max(map(len, part))
            ids = torch.tensor([[*each, *[self.tokenizer.pad_token_id or 0] * (longest - len(each))] for each in part])
            seen = torch.tensor([[1] * len(each) + [0] * (longest - len(each)) for each in part])
            with torch.inference_mode():
                said = self.network(input_ids=ids, attention_mask=seen).logits.float().softmax(-1).numpy()
            for at, (words, offsets) in enumerate(windows[begin : begin + TOGETHER]):
                yield self._window(words, offsets, said[at] @ self.ways)

    @staticmethod
    def _window(
        words: Sequence[int | None], offsets: Sequence[tuple[int, int]], said: Floats
    ) -> tuple[Places, Places, Floats]:
        """Its words, each by its first piece."""
        pieces = [at for at, word in enumerate(words) if word is not None and offsets[at][0] < offsets[at][1]]
        firsts = [at for number, at in enumerate(pieces) if not number or words[at] != words[pieces[number - 1]]]
        lasts = [pieces[pieces.index(at) - 1] for at in firsts[1:]] + pieces[-1:]
        starts = np.array([offsets[at][0] for at in firsts], np.int64)
        return starts, np.array([offsets[at][1] for at in lasts], np.int64), said[firsts]


def load(folder: Path) -> HuggingFaceTagger:
    """A model from its folder."""
    for name in (CONFIG, TOKENIZER, WEIGHTS):
        if not (folder / name).is_file():
            raise ModelError(
                f"{folder}: has no {name}; a folder of Hugging Face needs {CONFIG}, {TOKENIZER} and {WEIGHTS} here"
            )
    try:
        from transformers import AutoConfig, AutoModelForTokenClassification, AutoTokenizer
        from transformers.utils import logging
    except ImportError:
        raise MissingExtraError("reading a model of Hugging Face", "huggingface") from None
    local = {"local_files_only": True, "trust_remote_code": False}
    logging.disable_progress_bar()
    try:
        config = AutoConfig.from_pretrained(folder, **local)
        tokenizer = AutoTokenizer.from_pretrained(folder, use_fast=True, **local)
        network, report = AutoModelForTokenClassification.from_pretrained(
            folder, config=config, use_safetensors=True, output_loading_info=True, **local
        )
    except Exception as error:  # of many kinds, and they may quote the files
        raise ModelError(
            f"{folder}: cannot be read as a token-classification model ({type(error).__name__}); see whether "
            "transformers reads it with AutoModelForTokenClassification"
        ) from None
    if not tokenizer.is_fast or report["missing_keys"] or report["mismatched_keys"]:
        raise ModelError(f"{folder}: lacks weights, or a fast tokeniser; save it again with save_pretrained")
    labels = [str(config.id2label[at]) for at in range(config.num_labels)]
    chain, ways = _ways(folder, labels)
    return HuggingFaceTagger(
        Chosen(),
        folder,
        chain,
        ways,
        tokenizer,
        network.eval(),
        card={"kind": Chosen.kind},
        version=fingerprint(folder),
    )


def fit(*_: object) -> Tagger:
    raise ModelError("a model of Hugging Face is not learnt here; tune an encoder of ours with --preset encoder")


def fingerprint(folder: Path) -> str:
    """A SHA-256 of all that decides what it finds."""
    found = hashlib.sha256()
    for name in (CONFIG, TOKENIZER, WEIGHTS, LABELS):
        if (folder / name).is_file():
            with (folder / name).open("rb") as stream:
                found.update(name.encode() + hashlib.file_digest(stream, "sha256").digest())
    return found.hexdigest()


def _ways(folder: Path, labels: Sequence[str]) -> tuple[Chain, Floats]:
    """Tags with canonical labels, and the way there from each output of a model."""
    cut = [_cut(label) for label in labels]
    known = _tag_set(folder, sorted({name for _, name in cut if name}))
    names = sorted({known.tag(name).label for _, name in cut if name})
    tags = [OUTSIDE, *(f"B-{name}" for name in names), *(f"I-{name}" for name in names)]
    ways = np.zeros((len(labels), len(tags)), np.float32)
    for at, (way, name) in enumerate(cut):
        ways[at, tags.index(f"{way}-{known.tag(name).label}" if name else OUTSIDE)] = 1.0
    return Chain(tags, free=True), ways


def _cut(label: str) -> tuple[str, str]:
    """B-PER as B and PER; a label without a sign goes on, and begins where none stands before; O is nothing."""
    if label == OUTSIDE:
        return "", ""
    for sign in (*BEGINS, *GOES_ON):
        for between in "-_":
            if label.startswith(sign + between):
                return ("B" if sign in BEGINS else "I"), label[2:]
    return "I", label


def _tag_set(folder: Path, names: Sequence[str]) -> TagSet:
    """What the labels mean."""
    if (folder / LABELS).is_file():
        found: TagSet | None = tag_set(str(folder / LABELS))
    else:
        found = guess_tag_set(names)
    if found is None:
        rows = ", ".join(f'{name[:40]} = "…"' for name in names[:8])
        raise LabelError(
            f'{folder}: nobody knows what its labels mean; write {LABELS} beside them: name = "…", title = "…", and in '
            f"[tags] a label of `elision labels` for each: {rows}{' …' if len(names) > 8 else ''}"
        )
    return found


def _places(config: Any) -> int:
    """How many pieces the network can read together."""
    found = getattr(config, "max_position_embeddings", None) or LONGEST
    return max(8, int(found) - 2)  # some count from 2

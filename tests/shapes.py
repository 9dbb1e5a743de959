"""Texts of any length that go up to the limits of something: of one letter, of many names, of one line."""

from __future__ import annotations

from collections.abc import Callable
from itertools import count
from random import Random

_ALPHABETS = (
    " ", "7", "a.", "1-", "a@", "Aa ", "a:", "\n", "quillfeather", "http://a.", "Привет ", "مريض ", "a\u0301",
    "a\u200b", "😀", "<b>Roe</b>&nbsp;", "anneliese",
)  # fmt: skip


def _repeated(piece: str) -> Callable[[int], str]:
    return lambda size: (piece * (size // len(piece) + 1))[:size]


def _written(line: Callable[[Random, int], str]) -> Callable[[int], str]:
    """A text of lines that are all different."""

    def written(size: int) -> str:
        rng = Random(3)
        lines: list[str] = []
        total = 0
        for at in count():
            if total >= size:
                return "".join(lines)[:size]
            lines.append(line(rng, at))
            total += len(lines[-1])
        raise AssertionError

    return written


def name(rng: Random) -> str:
    """A word that nobody is called, with a capital."""
    syllables = (rng.choice("bcdfglmnprstv") + rng.choice("aeiou") for _ in range(rng.randint(2, 4)))
    return "".join(syllables).capitalize()


def _han(rng: Random, letters: int) -> str:
    return "".join(chr(rng.randint(0x4E00, 0x8FFF)) for _ in range(letters))


SHAPES: dict[str, tuple[str, Callable[[int], str]]] = {
    **{repr(piece): ("en", _repeated(piece)) for piece in _ALPHABETS},
    "a name in one word": ("en", lambda size: "Seen by Dr. Anneliese Quill. " + _repeated("anneliese")(size)),
    "nested brackets": ("en", lambda size: "(" * (size // 2) + ")" * (size // 2)),
    "tags of a run": ("en", _written(lambda rng, _: f"[NAME] seen by Dr. {name(rng)}. [DATE]")),
    "vitals in one line": (
        "zh",
        _written(lambda _, at: f"体温:{36 + at % 5 / 10}℃，脉搏：{60 + at % 40}次/分，血压：{110 + at % 50}/80mmHg，"),
    ),
    "JSON": ("en", _written(lambda rng, at: f'{{"id":{at},"name":"{name(rng)}","value":{at / 7:.1f},"tags":["a"]}},')),
    "keys in one line": ("en", _written(lambda rng, at: f"key{at}={name(rng)};k{at % 7}:{at};")),
    "keys in lines": ("en", _written(lambda rng, at: f"{name(rng)}: {name(rng)} {at}\n")),
    "names": ("en", _written(lambda rng, _: f"Seen by Dr. {name(rng)} {name(rng)}. ")),
    "Chinese names": ("zh", _written(lambda rng, _: f"主治医师：{rng.choice('王李张刘陈')}{_han(rng, 2)}。")),
    "Spanish names": ("es", _written(lambda rng, at: f"Paciente: {name(rng)} {name(rng)}, DNI {10_000_000 + at}Z, ")),
    "addresses": ("nl", _written(lambda rng, at: f"{name(rng)}straat {at % 200}, {1000 + at % 8999} AB {name(rng)}. ")),
    "dates": ("en", _written(lambda _, at: f"Seen on {1 + at % 28}/{1 + at % 12}/{1950 + at % 70}. ")),
    "mail addresses": ("en", _written(lambda rng, _: f"{name(rng)} {name(rng)}@{name(rng)}.org, ")),
    "web addresses": (
        "en",
        _written(lambda _, at: f"https://portal.hospital.example/patients/records/view?session={at} "),
    ),
    "ids": ("en", _written(lambda _, at: f"MRN: {1_000_000 + at * 7}, ")),
    "ages": ("en", _written(lambda _, at: f"She is {at % 90} years old. ")),
    "prose": ("en", _repeated("The patient was admitted with chest pain and given aspirin. ")),
    "one name": ("en", _repeated("Dr. Quillfeather saw her. ")),
}

"""Documents into parts: learning curves, cross-validation, and training on one domain to test on another.

The notes of one patient always stay on one side: names and numbers come again in them, and a model that has seen
them in training is tested on its memory. A note without a patient id stands for a patient of its own. Parts are alike
in the number of notes a patient has and in how many spans they hold; the seed decides the rest, whatever the order in
which the documents come.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from elision.document import Document
from elision.errors import ScoreError

Patient = tuple[Document, ...]  # all notes of one patient
Domain = Callable[[Document], str]

_HANDS = 20  # a twentieth of the documents is still much like all of them


@dataclass(frozen=True, slots=True)
class Split:
    """Documents to train on and documents to test on. `left_out` are those that may be in neither."""

    name: str
    train: tuple[Document, ...]
    test: tuple[Document, ...]
    left_out: tuple[Document, ...] = ()


def train_fraction(documents: Iterable[Document], fraction: float, seed: int = 0) -> tuple[Document, ...]:
    """About this fraction of the documents, for a learning curve. A smaller fraction is part of every larger one."""
    if not 0 < fraction <= 1:
        raise ScoreError(
            f"a fraction of the training documents lies between 0 and 1, not at {fraction}; for 10 % say 0.1"
        )
    return _cut(_shuffled(documents, seed), [fraction])[0]


def hold_out(
    documents: Iterable[Document],
    shares: Sequence[float] = (0.6, 0.2, 0.2),
    seed: int = 0,
    *,
    alike_in: Domain | None = None,
) -> tuple[tuple[Document, ...], ...]:
    """Parts of these shares, say training, validation and test, each with its part of every domain if one is given."""
    if not shares or min(shares) <= 0 or abs(sum(shares) - 1) > 1e-9:
        raise ScoreError(f"shares must be above 0 and add up to 1, not {', '.join(map(str, shares))}")
    return _cut(_shuffled(documents, seed, alike_in), shares)


def k_fold(documents: Iterable[Document], k: int = 10, seed: int = 0) -> Iterator[Split]:
    """Each of k parts is the test once, and the other parts are the training."""
    patients = _patients(documents)
    if not 2 <= k <= len(patients):
        raise ScoreError(f"{len(patients)} patients cannot make {k} folds; choose between 2 and the number of patients")
    hands = _deal(patients, k, np.random.default_rng(seed))
    for number, hand in enumerate(hands):
        others = (patient for other in hands if other is not hand for patient in other)
        yield Split(f"fold {number + 1}", _notes(others), _notes(hand))


def group_by(documents: Iterable[Document], domain: Domain) -> dict[str, tuple[Document, ...]]:
    """Documents by domain (language, hospital, kind of note: whatever the function says), in the order of names."""
    groups: dict[str, list[Document]] = {}
    for document in documents:
        groups.setdefault(domain(document), []).append(document)
    return {name: tuple(groups[name]) for name in sorted(groups)}


def leave_one_group_out(documents: Iterable[Document], domain: Domain) -> Iterator[Split]:
    """Each domain is the test once. Other notes of its patients are left out of the training."""
    groups = _at_least_two(group_by(documents, domain))
    for name, test in groups.items():
        tested = {document.patient for document in test if document.patient}
        others = [document for other, group in groups.items() if other != name for document in group]
        train = tuple(document for document in others if document.patient not in tested)
        yield Split(name, train, test, tuple(document for document in others if document.patient in tested))


def cross_domain(
    documents: Iterable[Document], domain: Domain, test_share: float = 0.2, seed: int = 0
) -> Iterator[Split]:
    """Train on each domain and test on each, its own among them, as Trienes (2020) does: "elderly to mental".

    Whether a patient is for training or for testing is settled once for all domains. So all systems that are tested on
    a domain are tested on the same notes, and none was trained on a patient that it is tested on.
    """
    if not 0 < test_share < 1:
        raise ScoreError(f"the share of notes to test on lies between 0 and 1, not at {test_share}; usual is 0.2")
    documents = tuple(documents)
    names = list(_at_least_two(group_by(documents, domain)))
    train, test = (
        group_by(p, domain) for p in hold_out(documents, (1 - test_share, test_share), seed, alike_in=domain)
    )
    for name in names:
        if name not in train or name not in test:
            raise ScoreError(f"domain {name!r} has too few patients to train on some and test on others; leave it out")
    for source in names:
        for target in names:
            yield Split(f"{source} to {target}", train[source], test[target])


def _at_least_two(groups: dict[str, tuple[Document, ...]]) -> dict[str, tuple[Document, ...]]:
    if len(groups) < 2:
        raise ScoreError(f"all documents are of one domain ({', '.join(groups) or 'there are none'}); it takes two")
    return groups


def _patients(documents: Iterable[Document]) -> list[Patient]:
    """The documents by patient, in an order that does not depend on how they come."""
    known: dict[str, list[Document]] = {}
    alone: list[Document] = []
    for document in documents:
        if document.patient:
            known.setdefault(document.patient, []).append(document)
        else:
            alone.append(document)
    groups = [sorted(notes, key=_name) for notes in known.values()] + [[document] for document in alone]
    return sorted((tuple(notes) for notes in groups), key=lambda notes: _name(notes[0]))


def _name(document: Document) -> tuple[str, str, str]:
    return document.id, document.patient, document.text


def _shuffled(documents: Iterable[Document], seed: int, alike_in: Domain | None = None) -> list[Patient]:
    """Patients in a random order of which every longer stretch from the beginning is much like the whole."""
    hands = _deal(_patients(documents), _HANDS, np.random.default_rng(seed), alike_in)
    return [patient for hand in hands for patient in hand]


def _deal(
    patients: list[Patient], hands: int, rng: np.random.Generator, alike_in: Domain | None = None
) -> list[list[Patient]]:
    """Deal patients out like cards that were sorted first: of each `hands` that are alike, each hand gets one."""
    chance = rng.permutation(len(patients)).tolist()

    def likeness(at: int) -> tuple[str, int, int, int]:
        patient = patients[at]
        spans = sum(len(document.spans) for document in patient)
        return alike_in(patient[0]) if alike_in else "", len(patient), spans, chance[at]

    order = sorted(range(len(patients)), key=likeness)
    dealt: list[list[Patient]] = [[] for _ in range(hands)]
    for first in range(0, len(order), hands):
        block = order[first : first + hands]
        for hand, at in zip(rng.permutation(hands).tolist(), block, strict=False):
            dealt[hand].append(patients[at])
    for hand_of_patients in dealt:
        rng.shuffle(hand_of_patients)
    return dealt


def _cut(patients: list[Patient], shares: Sequence[float]) -> tuple[tuple[Document, ...], ...]:
    """Cut a row of patients where the shares of the notes are reached, each part with at least one patient."""
    total = sum(map(len, patients))
    if len(patients) < len(shares):
        raise ScoreError(f"{len(patients)} patients cannot make {len(shares)} parts; the notes of one stay together")
    parts: list[tuple[Document, ...]] = []
    at = taken = 0
    goal = 0.0
    for number, share in enumerate(shares, start=1):
        goal += share * total
        first = at
        while at < len(patients) - (len(shares) - number) and (at == first or taken < round(goal)):
            taken += len(patients[at])
            at += 1
        parts.append(_notes(patients[first:at]))
    return tuple(parts)


def _notes(patients: Iterable[Patient]) -> tuple[Document, ...]:
    return tuple(document for patient in patients for document in patient)

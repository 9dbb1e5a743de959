"""CRFsuite: its models are read to the last bit and tag as it tags; damage and odd input are errors that help."""

from __future__ import annotations

import math
import random
import struct
import sys
import tempfile
import tracemalloc
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from hypothesis import given, reject
from hypothesis import strategies as st

from elision.errors import ElisionError, FormatError, LabelError, MissingExtraError, ModelError
from elision.papers.crfsuite.file import parse_crfsuite
from elision.papers.crfsuite.trainer import ALGORITHMS, CrfsuiteModel, read_crfsuite, train_crfsuite
from tests.strategies import fewer

pycrfsuite = pytest.importorskip("pycrfsuite", reason="the extra crfsuite is not installed")

Corpus = list[tuple[list[list[str]], list[str]]]

# What `info()` can parse: no line end, no "-->". Two of the characters need more than two bytes.
SPELLABLE = "aZé ñß:\\=0-_李😀\t\"'"
ANYTHING = SPELLABLE + "\n\r\x85\u2028>"

SEEN: Corpus = [
    ([["form=Seen", "first"], ["form=by"], ["form=Dr", "title"], ["form=Roe", "title"]], ["O", "O", "O", "B-NAME"]),
    ([["form=Dr", "first", "title"], ["form=Poe", "title"], ["form=on"], ["form=3"]], ["O", "B-NAME", "O", "B-DATE"]),
    ([["form=3", "first"], ["form=May"], [""]], ["B-DATE", "I-DATE", "O"]),
]


@st.composite
def corpora(draw: st.DrawFn, alphabet: str, least: int) -> Corpus:
    """A few short sequences with at least two labels; attributes come again, within a token too."""
    word = st.text(st.sampled_from(alphabet), min_size=least, max_size=6)
    attributes = draw(st.lists(word, min_size=1, max_size=8, unique=True))
    labels = draw(st.lists(word, min_size=2, max_size=6, unique=True))
    token = st.tuples(st.lists(st.sampled_from(attributes), max_size=4), st.sampled_from(labels))
    drawn = draw(st.lists(st.lists(token, max_size=6), max_size=6))
    made = [([token[0] for token in sequence], [token[1] for token in sequence]) for sequence in drawn]
    return [*made, ([["x" * least], attributes], labels[:2])]


def options_of(draw: st.DrawFn, algorithm: str) -> dict[str, Any]:
    options: dict[str, Any] = {"max_iterations": draw(st.integers(1, 12))}
    if algorithm == "lbfgs" and draw(st.booleans()):
        options |= {"c1": 0.01, "c2": draw(st.sampled_from([0.0, 0.1]))}  # with c1, many weights are 0 and left out
    if draw(st.booleans()):
        options |= {"feature.possible_states": True, "feature.possible_transitions": True}
    return options


NOTHING_LEARNT = "gave no feature a weight"


def learns(corpus: Corpus, **how: Any) -> tuple[CrfsuiteModel, Any]:
    """`trained`, for corpora by chance, of which some are too small to learn from."""
    try:
        return trained(corpus, **how)
    except ModelError as error:
        if NOTHING_LEARNT in str(error):
            reject()
        raise


def trained(corpus: Corpus, **how: Any) -> tuple[CrfsuiteModel, Any]:
    """A corpus's model as we read it, and CRFsuite's own tagger with it."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.crfsuite")
        train_crfsuite(corpus, path, **how)
        tagger = pycrfsuite.Tagger()
        tagger.open(str(path))
        return read_crfsuite(path), tagger


def viterbi(model: CrfsuiteModel, tokens: Sequence[Sequence[str]]) -> list[str]:
    """The best tags, in the order of additions that CRFsuite has, so that ties are ties for both."""
    if not tokens:
        return []
    ids = {attribute: id for id, attribute in enumerate(model.attributes)}
    scores = np.zeros((len(tokens), len(model.labels)))
    for row, attributes in zip(scores, tokens, strict=True):
        for attribute in attributes:
            mine = model.state_attribute == ids.get(attribute, -1)
            row[model.state_label[mine]] += model.state_weight[mine]
    best, back = scores[0], []
    for row in scores[1:]:
        ways = best[:, None] + model.transition
        back.append(ways.argmax(axis=0))
        best = ways.max(axis=0) + row
    path = [int(best.argmax())]
    for links in reversed(back):
        path.append(int(links[path[-1]]))
    return [model.labels[label] for label in reversed(path)]


def check_tags(model: CrfsuiteModel, tagger: Any, corpus: Corpus) -> None:
    assert list(model.labels) == tagger.labels()
    for tokens, _ in corpus:
        assert viterbi(model, tokens) == tagger.tag(tokens)
        unknown = [[*attributes, "never seen in training"] for attributes in reversed(tokens)]
        assert viterbi(model, unknown) == tagger.tag(unknown)


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@fewer
@given(st.data())
def test_the_file_says_what_crfsuite_says_and_tags_as_it_tags(algorithm: str, data: st.DataObject) -> None:
    corpus = data.draw(corpora(SPELLABLE, least=1))
    options = data.draw(st.composite(options_of)(algorithm))
    model, tagger = learns(corpus, algorithm=algorithm, options=options)
    check_tags(model, tagger, corpus)
    info = tagger.info()
    assert list(info.labels.items()) == [(label, str(id)) for id, label in enumerate(model.labels)]
    assert info.attributes == {attribute: str(id) for id, attribute in enumerate(model.attributes)}
    states = {
        (model.attributes[attribute], model.labels[label]): weight
        for attribute, label, weight in zip(
            model.state_attribute.tolist(), model.state_label.tolist(), model.state_weight.tolist(), strict=True
        )
    }
    assert len(states) == len(model.state_weight)
    assert states == pytest.approx(info.state_features, abs=1e-6)
    said = np.zeros_like(model.transition)
    for (source, target), weight in info.transitions.items():
        said[model.labels.index(source), model.labels.index(target)] = weight
    assert np.abs(model.transition - said).max() <= 1e-6


@pytest.mark.parametrize("algorithm", ALGORITHMS)
@fewer
@given(st.data())
def test_any_strings_at_all(algorithm: str, data: st.DataObject) -> None:
    """Empty attributes and labels, line ends, arrows: what `info()` cannot parse, the tagger can use, and so can we."""
    corpus = data.draw(corpora(ANYTHING, least=0))
    model, tagger = learns(corpus, algorithm=algorithm, options={"max_iterations": 3})
    check_tags(model, tagger, corpus)


def test_weights_are_exact() -> None:
    """The last bit: probabilities worked out from our weights and by CRFsuite differ by rounding alone."""
    model, tagger = trained(SEEN, options={"c2": 0.1})
    for tokens, _ in SEEN:
        for tags in (tagger.tag(tokens), [model.labels[0]] * len(tokens)):
            assert probability(model, tokens, tags) == pytest.approx(tagger.probability(tags), rel=1e-12)
    assert any(weight != round(weight, 6) for weight in model.state_weight.tolist())


def probability(model: CrfsuiteModel, tokens: list[list[str]], tags: list[str]) -> float:
    scores = [0.0] * len(tokens)
    alpha = np.zeros(len(model.labels))
    path = [model.labels.index(tag) for tag in tags]
    for place, attributes in enumerate(tokens):
        row = np.zeros(len(model.labels))
        for attribute in attributes:
            mine = model.state_attribute == (model.attributes.index(attribute) if attribute in model.attributes else -1)
            row[model.state_label[mine]] += model.state_weight[mine]
        alpha = row + (np.logaddexp.reduce(alpha[:, None] + model.transition, axis=0) if place else 0)
        scores[place] = row[path[place]] + (model.transition[path[place - 1], path[place]] if place else 0)
    return math.exp(math.fsum(scores) - float(np.logaddexp.reduce(alpha)))


def test_an_attribute_that_stands_twice_counts_twice_and_the_empty_one_is_one_like_others() -> None:
    model, tagger = trained(SEEN, options={"c2": 0.1})
    assert "" in model.attributes
    for tokens in ([["title", "title", ""], ["", ""]], [["form=3"] * 5, []]):
        tags = tagger.tag(tokens)
        assert viterbi(model, tokens) == tags
        assert probability(model, tokens, tags) == pytest.approx(tagger.probability(tags), rel=1e-12)


def test_of_equal_scores_the_smaller_id_wins() -> None:
    symmetric: Corpus = [([["a"], ["a"]], ["Z", "Z"]), ([["a"], ["a"]], ["A", "A"])]
    model, tagger = trained(symmetric)
    assert model.labels == ("Z", "A")
    assert model.transition[0, 0] == model.transition[1, 1] > 0
    assert tagger.tag([["a"]]) == viterbi(model, [["a"]]) == ["Z"]
    assert tagger.tag([["a"]] * 3) == viterbi(model, [["a"]] * 3) == ["Z"] * 3
    assert tagger.tag([["none"]] * 2) == viterbi(model, [["none"]] * 2) == ["Z"] * 2


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_the_same_corpus_gives_the_same_file(algorithm: str, tmp_path: Path) -> None:
    corpus = SEEN * 5
    for name in ("one", "two"):
        train_crfsuite(corpus, tmp_path / name, algorithm=algorithm, options={"max_iterations": 5})
    assert (tmp_path / "one").read_bytes() == (tmp_path / "two").read_bytes()
    assert sorted(file.name for file in tmp_path.iterdir()) == ["one", "two"]


@pytest.mark.parametrize("algorithm", ALGORITHMS)
def test_progress_is_a_line_an_iteration(algorithm: str, tmp_path: Path, capfd: pytest.CaptureFixture[str]) -> None:
    lines: list[str] = []
    options = {"max_iterations": 4}
    train_crfsuite(SEEN, tmp_path / "model", algorithm=algorithm, options=options, progress=lines.append)
    assert 1 <= len(lines) <= 4
    for number, line in enumerate(lines, 1):
        start, _, loss = line.partition(": loss ")
        assert start == f"iteration {number}"
        assert float(loss.partition(",")[0]) >= 0
    assert capfd.readouterr() == ("", "")


def test_what_progress_raises_stops_the_training(tmp_path: Path) -> None:
    def stop(line: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        train_crfsuite(SEEN, tmp_path / "model", progress=stop)
    assert list(tmp_path.iterdir()) == []


NO_NAME = "the one tag; a CRF"
BAD_SEQUENCES: list[tuple[str, Any, str]] = [
    ("no sequences", [], "nothing to learn from"),
    ("no tokens", [([], [])], "nothing to learn from"),
    ("one label", [([["a"], ["b"]], ["O", "O"])], "the one tag 'O'; a CRF learns to tell at least two"),
    ("one odd label", [([["a"]], ["Jane Roe"])], NO_NAME),
    ("a tag short", [*SEEN, ([["a"], ["b"]], ["O"])], "sequence 4: 1 tags for 2 tokens"),
    ("a NUL", [*SEEN, ([["a"], ["b", "Roe\0"]], ["O", "O"])], "sequence 4, token 2: a string has a NUL"),
    ("a NUL in a tag", [([["a"]], ["O\0"])], "the tags of sequence 1: a string has a NUL"),
    ("half a character", [([["Roe\ud83d"]], ["O"])], "sequence 1, token 1: something there is not a string, or half"),
    ("a number", [([["Roe", 3]], ["O"])], "sequence 1, token 1: something there is not a string"),
    ("a string for a list", [(["Roe"], ["O"])], "sequence 1, token 1: the attributes must be a list"),
    ("a mapping with values", [([{"Roe": 0.5}], ["O"])], "sequence 1, token 1: the attributes must be a list"),
]


@pytest.mark.parametrize(
    ("sequences", "says"), [row[1:] for row in BAD_SEQUENCES], ids=[row[0] for row in BAD_SEQUENCES]
)
def test_sequences_that_cannot_be_learnt_from(sequences: Any, says: str, tmp_path: Path) -> None:
    with pytest.raises((ModelError, LabelError)) as caught:
        train_crfsuite(sequences, tmp_path / "model")
    assert says in str(caught.value)
    assert "Roe" not in str(caught.value)
    assert list(tmp_path.iterdir()) == []


BAD_OPTIONS: list[tuple[str, dict[str, Any], str]] = [
    ("svm", {}, "no algorithm 'svm'; it has lbfgs, l2sgd, ap, pa, arow"),
    ("lbfgs", {"C1": 1}, "lbfgs has no option 'C1'; it has feature.minfreq, "),
    ("ap", {"c2": 1}, "ap has no option 'c2'; it has feature.minfreq, "),
    ("lbfgs", {"c1": -1}, "c1 takes a number from 0 upwards"),
    ("lbfgs", {"c1": math.nan}, "c1 takes a number from 0 upwards"),
    ("lbfgs", {"c2": "much"}, "c2 takes a number"),
    ("lbfgs", {"num_memories": 0}, "num_memories takes a number from 1 upwards"),
    ("l2sgd", {"period": 0}, "period takes a number from 1 upwards"),
    ("lbfgs", {"max_iterations": 2.5}, "max_iterations takes a whole number below 2,147,483,648"),
    ("lbfgs", {"max_iterations": 1e300}, "max_iterations takes a whole number below 2,147,483,648"),
    ("lbfgs", {"linesearch": "Zigzag"}, "linesearch takes one of MoreThuente, Backtracking, StrongBacktracking"),
    ("lbfgs", {"feature.possible_states": 2}, "feature.possible_states takes one of 0, 1"),
    ("pa", {"type": 3}, "type takes one of 0, 1, 2"),
    ("lbfgs", {"feature.minfreq": 1000}, "gave no feature a weight (L-BFGS terminated with error code (-1020))"),
    ("lbfgs", {"c1": 1000}, "gave no feature a weight (L-BFGS terminated with error code (2))"),
    ("l2sgd", {"c2": 0}, "a weight is not a finite number (ERROR: overflow loss)"),
    ("ap", {"max_iterations": 0}, "gave no feature a weight (it does not say why)"),
]


@pytest.mark.parametrize(("algorithm", "options", "says"), BAD_OPTIONS, ids=[f"{a}-{o}" for a, o, _ in BAD_OPTIONS])
def test_options_that_crfsuite_cannot_use(algorithm: str, options: Any, says: str, tmp_path: Path) -> None:
    with pytest.raises(ModelError) as caught:
        train_crfsuite(SEEN, tmp_path / "model", algorithm=algorithm, options=options)
    assert says in str(caught.value)
    assert list(tmp_path.iterdir()) == []


def test_options_reach_crfsuite(tmp_path: Path) -> None:
    sparse, _ = trained(SEEN, options={"c1": "0.5"})  # from a command line, numbers are strings
    dense, _ = trained(SEEN, options={"feature.possible_states": True, "feature.possible_transitions": 1})
    assert len(sparse.state_weight) < len(dense.state_weight) == len(dense.attributes) * len(dense.labels)
    assert dense.transition.all()
    for linesearch in ("MoreThuente", "Backtracking", "StrongBacktracking"):
        trained(SEEN, options={"linesearch": linesearch})


def test_a_place_that_cannot_be_written_to_is_known_before_the_training(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    heard: list[str] = []
    with pytest.raises(FormatError, match="cannot be written"):
        train_crfsuite(SEEN, tmp_path / "file" / "model", progress=heard.append)
    assert heard == []


def test_without_the_extra(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setitem(sys.modules, "pycrfsuite", None)
    with pytest.raises(MissingExtraError, match=r"training with CRFsuite .*elision\[crfsuite\]"):
        train_crfsuite(SEEN, tmp_path / "model")


# --- Damaged and hostile files -------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def small(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    path = tmp_path_factory.mktemp("crfsuite") / "model"
    train_crfsuite(SEEN, path, options={"max_iterations": 3})
    return path.read_bytes()


def read_or_refuse(data: bytes) -> CrfsuiteModel | None:
    """The model, if it makes sense throughout; None where it was refused."""
    try:
        model = parse_crfsuite(memoryview(data))
    except ModelError:
        return None
    sizes = {len(model.state_attribute), len(model.state_label), len(model.state_weight)}
    assert len(sizes) == 1
    assert model.transition.shape == (len(model.labels), len(model.labels))
    assert np.isfinite(model.state_weight).all()
    assert np.isfinite(model.transition).all()
    for column, names in ((model.state_attribute, model.attributes), (model.state_label, model.labels)):
        assert not len(column) or 0 <= column.min() <= column.max() < len(names)
        assert len(set(names)) == len(names)
    return model


@given(st.data())
def test_damaged_files_read_or_are_refused(small: bytes, data: st.DataObject) -> None:
    place = st.integers(0, len(small) - 1) | st.integers(0, 47) | st.sampled_from(list(full_places(small)))
    changed = bytearray(small)
    for at, byte in data.draw(st.lists(st.tuples(place, st.integers(0, 255)), max_size=6)):
        changed[at] = byte
    cut = data.draw(st.just(len(small)) | place)
    read_or_refuse(bytes(changed[:cut]))
    struct.pack_into("<I", changed, 4, cut)  # as if it had always been as short
    read_or_refuse(bytes(changed[:cut]))


def full_places(data: bytes) -> Iterator[int]:
    """The bytes near which something stands: most of a small file are empty hash tables."""
    return (at for at in range(len(data)) if any(data[max(at - 4, 0) : at + 5]))


@pytest.mark.slow
def test_every_number_made_huge_is_refused_or_of_no_matter(small: bytes) -> None:
    whole = read_or_refuse(small)
    assert whole is not None
    tracemalloc.start()
    refused = 0
    for at in full_places(small):
        for number in (0xFFFFFFFF, 0x7FFFFFF0, 0x00FFFFFF, 0):
            changed = bytearray(small)
            struct.pack_into("<I", changed, min(at, len(small) - 4), number)
            refused += read_or_refuse(bytes(changed)) is None
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert refused > 1000
    assert peak < 2_000_000


def test_every_truncation_is_refused(small: bytes, tmp_path: Path) -> None:
    for size in range(0, len(small), 7):
        assert read_or_refuse(small[:size]) is None
    path = tmp_path / "model"
    for size in (0, 1, 47, 48, 1000, len(small) - 1):
        path.write_bytes(small[:size])
        with pytest.raises(ModelError, match=r"model: .*; copy the file anew|too short"):
            read_crfsuite(path)
    path.write_bytes(small + b"\0")
    with pytest.raises(ModelError, match="says that it has"):
        read_crfsuite(path)


def part(data: bytes, number: int) -> int:
    """Where the header says that a part lies: 7 features, 8 labels, 9 attributes, 10 LFRF, 11 AFRF."""
    return int(struct.unpack_from("<I", data, 4 * number)[0])


def put(data: bytes, at: int, form: str, *values: Any) -> bytes:
    changed = bytearray(data)
    struct.pack_into(form, changed, at, *values)
    return bytes(changed)


def link(data: bytes, number: int, id: int) -> int:
    """Where a database's link to the record of an id stands."""
    database = part(data, number)
    return database + int(struct.unpack_from("<I", data, database + 20)[0]) + 4 * id


def record(data: bytes, number: int, id: int) -> int:
    return part(data, number) + int(struct.unpack_from("<I", data, link(data, number, id))[0])


def damages(data: bytes) -> Iterator[tuple[str, bytes]]:
    """What is wrong, as the error must say it, and a file that has it."""
    row = part(data, 7) + 12
    yield "not a CRFsuite model", put(data, 0, "4s", b"PK\3\4")
    yield "not a CRFsuite model", put(data, 8, "4s", b"FOMX")
    yield "version 101", put(data, 12, "<I", 101)
    yield "0 labels", put(data, 20, "<I", 0)
    yield "5,000 labels", put(data, 20, "<I", 5000)
    yield "no chunk FEAT", put(data, 28, "<I", 0)
    yield "beyond the end", put(data, 28, "<I", len(data) - 2)
    yield "size of 4,294,967,295 features", put(data, part(data, 7) + 8, "<I", 2**32 - 1)
    yield "not a finite number", put(data, row + 12, "<d", math.nan)
    yield "not a finite number", put(data, row + 12, "<d", -math.inf)
    yield "does not list each feature once", put(data, row, "<I", 1)
    yield "does not list each feature once", put(data, row, "<I", 2)
    yield "gives a feature to another owner", put(data, row + 4, "<I", 1)
    yield "of a label that is not there", put(data, row + 8, "<I", 77)
    yield "no database of labels", put(data, part(data, 8) + 12, ">I", 0x62445371)
    yield "no database of attributes", put(data, part(data, 9), "4s", b"XXXX")
    yield "too small for", put(data, part(data, 9) + 16, "<I", 1)
    yield "the links to the labels should lie", put(data, part(data, 8) + 20, "<I", 2**31)
    yield "attribute 1 is broken", put(data, link(data, 9, 1), "<I", 2**32 - 1)
    yield "attribute 1 is broken", put(data, link(data, 9, 1), "<I", record(data, 9, 0) - part(data, 9))
    yield "attribute 0 is broken", put(data, record(data, 9, 0) + 4, "<I", 0)
    yield "attribute 0 is broken", put(data, record(data, 9, 0) + 4, "<I", 2**32 - 1)
    yield "attribute 0 is broken", put(data, record(data, 9, 0) + 9, "B", 0)
    yield "attribute 0 is not UTF-8", put(data, record(data, 9, 0) + 9, "B", 0xFF)
    yield "chunk LFRF has a list outside", put(data, part(data, 10) + 12, "<I", 0)
    yield "chunk AFRF has a list outside", put(data, part(data, 11) + 12, "<I", part(data, 11) + 13)
    yield "chunk AFRF has not the size", put(data, part(data, 11) + 8, "<I", 1)


def test_each_damage_has_its_message(small: bytes) -> None:
    for says, data in damages(small):
        with pytest.raises(ModelError, match=says):
            parse_crfsuite(memoryview(data))


def chunk(magic: bytes, count: int, body: bytes) -> bytes:
    return struct.pack("<4sII", magic, 12 + len(body), count) + body


def test_strings_that_share_their_bytes_do_not_fill_the_memory() -> None:
    """A file of 1 MB whose 50,000 links all lead to one long string, which would make 25 GB."""
    count, text = 50_000, b"x" * 500_000 + b"\0"
    parts: list[bytes] = []

    def here() -> int:
        return 48 + sum(map(len, parts))

    def database(links: Sequence[int], records: bytes) -> bytes:
        size = 24 + 2048 + 4 * len(links) + len(records)
        head = struct.pack("<4s5I", b"CQDB", size, 0, 0x62445371, len(links), 24 + 2048)
        return head + bytes(2048) + struct.pack(f"<{len(links)}I", *links) + records

    places = []

    def add(part: bytes) -> None:
        places.append(here())
        parts.append(part)

    add(chunk(b"FEAT", 1, struct.pack("<IIId", 1, 0, 0, 0.5)))
    add(database([24 + 2048 + 4], struct.pack("<II2s", 0, 2, b"O")))
    add(database([24 + 2048 + 4 * count] * count, struct.pack("<II", 0, len(text)) + text))
    add(chunk(b"LFRF", 1, struct.pack("<III", here() + 16, 1, 0)))
    add(chunk(b"AFRF", count, struct.pack("<I", here() + 12 + 4 * count) * count + bytes(4)))
    data = struct.pack("<4sI4s9I", b"lCRF", here(), b"FOMC", 100, 0, 1, count, *places) + b"".join(parts)
    tracemalloc.start()
    with pytest.raises(ModelError, match="attribute 1 is broken"):
        parse_crfsuite(memoryview(data))
    peak = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert peak < 10 * len(data)
    one = put(data, 24, "<I", 1)
    assert len(parse_crfsuite(memoryview(one)).attributes[0]) == 500_000


def test_files_that_are_none(tmp_path: Path) -> None:
    for path in (tmp_path, tmp_path / "none"):
        with pytest.raises(ElisionError, match=r"cannot be read|too short"):
            read_crfsuite(path)
    (tmp_path / "text").write_text("Seen by Dr. Roe on 3 May.\n" * 100)
    with pytest.raises(ModelError, match="not a CRFsuite model") as caught:
        read_crfsuite(tmp_path / "text")
    assert "Roe" not in str(caught.value)


def test_a_larger_corpus() -> None:
    """Thousands of attributes and a dozen labels: the hash tables and lists are full."""
    chance = random.Random(3)
    corpus: Corpus = []
    for _ in range(60):
        size = chance.randint(1, 30)
        tokens = [[f"{name}={chance.randint(0, 400)}" for name in ("form", "before", "after")] for _ in range(size)]
        corpus.append((tokens, [f"B-{chance.randint(0, 11)}" for _ in range(size)]))
    model, tagger = trained(corpus, options={"max_iterations": 20})
    assert len(model.labels) == 12
    assert len(model.attributes) > 700
    check_tags(model, tagger, corpus)

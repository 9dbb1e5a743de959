"""Word vectors: every form of file read and bad ones refused, and vectors trained on a small invented language."""

from __future__ import annotations

import gzip
import math
import re
import struct
import tempfile
from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from elision.errors import FormatError
from elision.taggers.vectors import cooccurrence
from elision.taggers.vectors.cooccurrence import SMOOTHING, Sparse, neighbours, ppmi, svd, vocabulary
from elision.taggers.vectors.vectors import Vectors, read_vectors, train_vectors
from tests.strategies import ALPHABET, fewer

Floats = npt.NDArray[np.float64]
Table = Sequence[tuple[str, Sequence[float]]]

ROWS: Table = [("ward", (0.5, -1.25, 3.0)), ("señor", (1e-7, 2.5e10, 0.0)), ("李明", (0.1, 0.2, 0.3))]


def rows_as_text(rows: Table, end: str = "\n") -> bytes:
    return "".join(f"{word} {' '.join(map(repr, numbers))}{end}" for word, numbers in rows).encode()


def header(rows: Table) -> bytes:
    return f"{len(rows)} {len(rows[0][1])}\n".encode()


def word2vec(rows: Table) -> bytes:
    return header(rows) + rows_as_text(rows, " \n")  # the blank is word2vec's own


def binary(rows: Table, end: bytes = b"\n") -> bytes:
    return header(rows) + b"".join(
        word.encode() + b" " + struct.pack(f"<{len(numbers)}f", *numbers) + end for word, numbers in rows
    )


def fixed_width(rows: Table) -> bytes:
    return "".join(f"{word}\t" + "".join(f"{x:16.8g}" for x in numbers) + "\r\n" for word, numbers in rows).encode()


FORMS: dict[str, Callable[[Table], bytes]] = {
    "GloVe": rows_as_text,
    "GloVe without the last line end": lambda rows: rows_as_text(rows).rstrip(),
    "word2vec text": word2vec,
    "a byte-order mark before a header": lambda rows: b"\xef\xbb\xbf" + word2vec(rows),
    "a byte-order mark before a word": lambda rows: b"\xef\xbb\xbf" + rows_as_text(rows),
    "tabs, columns of equal width, CRLF, empty lines": lambda rows: fixed_width(rows) + b"\r\n\n",
    "word2vec binary": binary,
    "binary without line ends": lambda rows: binary(rows, b""),
}


def put(folder: Path, content: bytes, name: str = "vectors.vec") -> Path:
    (folder / name).write_bytes(content)
    return folder / name


def the_same(vectors: Vectors, rows: Table) -> bool:
    same_words = vectors.words == tuple(word for word, _ in rows)
    table = np.array([numbers for _, numbers in rows], np.float32)
    return same_words and vectors.table.dtype == np.float32 and np.array_equal(vectors.table, table)


@pytest.mark.parametrize("form", FORMS)
@pytest.mark.parametrize("pack", [bytes, gzip.compress], ids=["plain", "gzip"])
def test_every_form(form: str, pack: Callable[[bytes], bytes], tmp_path: Path) -> None:
    file = put(tmp_path, pack(FORMS[form](ROWS)), "a-name-that-says-nothing")
    assert the_same(read_vectors(file), ROWS)
    assert the_same(read_vectors(file, most=2), ROWS[:2])
    assert the_same(read_vectors(file, only={"李明", "ward", "other"}), [ROWS[0], ROWS[2]])
    assert the_same(read_vectors(file, only=["Señor", "WARD"]), ROWS[:2])  # small letters stand in for capitals
    none = read_vectors(file, only=[])
    assert (none.words, none.table.shape, none.rows(["ward"]).tolist()) == ((), (0, 3), [[0.0, 0.0, 0.0]])


def test_words_that_look_odd(tmp_path: Path) -> None:
    rows: Table = [
        ("12", (1.0, 2.0)),
        (". .", (3.0, 4.0)),
        ("at name@mail.example", (5.0, 6.0)),
        ("\u00a0", (7.0, 8.0)),
    ]
    assert the_same(read_vectors(put(tmp_path, rows_as_text(rows))), rows)
    assert the_same(read_vectors(put(tmp_path, word2vec(rows))), rows)


def test_of_a_word_that_comes_twice_the_first_counts(tmp_path: Path) -> None:
    rows = [*ROWS, ("ward", (9.0, 9.0, 9.0))]
    for form in (rows_as_text, word2vec, binary):
        assert the_same(read_vectors(put(tmp_path, form(rows))), ROWS)
    twice = Vectors(("a", "b", "a"), np.array([[1], [2], [3]], np.float32))
    assert twice.rows(["a"]).tolist() == [[1.0]]


def test_files_without_words(tmp_path: Path) -> None:
    assert read_vectors(put(tmp_path, b"0 3\n")).table.shape == (0, 3)
    assert read_vectors(put(tmp_path, b"2 3\na 1 2 3\nb 1 2 3\n"), most=0).table.shape == (0, 3)


def test_of_words_that_are_passed_over_only_the_number_of_columns_is_checked(tmp_path: Path) -> None:
    file = put(tmp_path, b"a 1 2\nb x nan\nc 3 4\n")
    assert the_same(read_vectors(file, only={"a", "c"}), [("a", (1, 2)), ("c", (3, 4))])
    with pytest.raises(FormatError, match=r":2: .* not all numbers"):
        read_vectors(file)


def test_a_few_words_cut_inside_a_character_are_left_out_and_many_are_refused(tmp_path: Path) -> None:
    plain = rows_as_text([(f"w{i}", (1.0, 2.0)) for i in range(99)])
    assert len(read_vectors(put(tmp_path, plain + b"se\xc3 1 2\n")).words) == 99
    with pytest.raises(FormatError, match=r"vectors.vec:100: this word is not UTF-8, nor are 1 after it"):
        read_vectors(put(tmp_path, plain + b"se\xc3 1 2\nse\xf1or 1 2\n"))


A_NUMBER_TOO_FEW = binary([("secret", (0.1, 0.2)), ("word", (0.1, 0.2))])[:-5]
BAD: list[tuple[str, bytes, str]] = [
    ("nothing", b"", r":1: neither a header .* nor a word and its numbers"),
    ("prose", b"This is a secret.\nAnd more.\n", r":1: neither a header"),
    ("a word alone", b"secret\n", r":1: neither a header"),
    ("a first row with a word too much", b"secret 1 secret 2\n", r":1: neither a header"),
    ("UTF-16", "secret 1 2\n".encode("utf-16"), r":1: neither a header"),
    ("a pickle", b"\x80\x04\x95secret", r":1: neither a header"),
    (
        "fastText's own form",
        struct.pack("<ii", 793712314, 12) + b"secret",
        r"fastText's own \.bin .* use the \.vec file",
    ),
    ("a zip archive", b"PK\x03\x04secret", r"zip archive; unpack it first"),
    ("a header of nothing", b"3 0\nsecret\n", r":1: 0 numbers for a word"),
    ("a header too wide", b"3 10001\nsecret 1\n", r":1: 10,001 numbers for a word; from 1 to 10,000"),
    ("a row too short", b"a 1 2\nsecret 1\n", r":2: 2 columns where 3 are needed"),
    ("a row too long", b"a 1 2\nsecret 1 2 3\n", r":2: 4 columns where 3 are needed"),
    ("a row without a word", b"a 1 2\n 1 2\n", r":2: 2 columns where 3 are needed"),
    ("a first row without a word", b" 1 2\na 1 2\n", r":1: 2 columns where 2 are needed, a word"),
    ("a header that says fewer numbers", b"1 2\nsecret 1 2 3\n", r":2: 4 columns where 3 are needed"),
    ("a header that says more numbers", b"1 3\nsecret 1 2\n", r":2: 3 columns where 4 are needed"),
    (
        "a header that says more words",
        b"3 2\nsecret 1 2\nb 1 2\n",
        r"2 words where the header says 3; was the file cut",
    ),
    ("a header that says fewer words", b"1 2\nsecret 1 2\nb 1 2\n", r"2 words where the header says 1"),
    ("a header beyond all bounds", b"999999999999 2\nsecret 1 2\n", r"1 words where the header says 999,999,999,999"),
    ("not a number", b"a 1 2\nb 3 secret\n", r":2: what follows the word is not all numbers"),
    ("a number in another notation", b"a 1 2\nb 1_0 2\n", r":2: what follows the word is not all numbers"),
    ("a decimal comma", b"a 1 2\nb 1,5 2\n", r":2: what follows the word is not all numbers"),
    ("nan", b"2 2\na 1 2\nsecret 1 nan\n", r":3: a number is infinite, too large or not a number"),
    ("infinity", b"secret 1 -inf\n", r":1: a number is infinite"),
    ("too large for 32 bits", b"a 1 2\nsecret 1 1e39\n", r":2: a number is infinite, too large"),
    ("a line without end", b"a 1 2\n" + b"secret" * 200_000, r":2: a line of more than 1,000,000 bytes"),
    ("a gzip file that was cut", gzip.compress(rows_as_text(ROWS) * 9)[:-12], r"gzip file is damaged or was cut"),
    ("a gzip file with other bytes", gzip.compress(b"a 1 2\n")[:10] + b"secret" * 9, r"gzip file is damaged"),
    ("a gzip file with a wrong sum", gzip.compress(b"a 1 2\n")[:-8] + b"secretxx", r"gzip file is damaged"),
    ("binary, cut in the numbers", A_NUMBER_TOO_FEW, r": word 2: the file ends here, where the header says 2 words"),
    ("binary, cut in the word", A_NUMBER_TOO_FEW[:-6], r": word 2: the file ends here"),
    ("binary, cut before a word", A_NUMBER_TOO_FEW[:-9], r": word 2: the file ends here"),
    ("binary with bytes behind", binary(ROWS) + b"secret", r"goes on after the 3 words that its header says"),
    ("binary with nan", binary([("a", (0.1, 0.2)), ("secret", (0.1, math.nan))]), r": word 2: a number is infinite"),
    (
        "binary, wider than its header says",
        b"9 2\n" + binary([("w", (0.1,) * 9)] * 9)[4:],
        r"goes on after the 9 words",
    ),
    (
        "binary, narrower than its header says",
        b"9 9\n" + binary([("w", (0.1, 0.2))] * 9)[4:],
        r": word \d: the file ends",
    ),
    (
        "binary without words",
        b"9 2\na " + bytes(8) + b"secret" * 1000,
        r": word 2: no end of the word within 4,096 bytes",
    ),
]


@pytest.mark.parametrize(("content", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_files(content: bytes, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        read_vectors(put(tmp_path, content))
    assert re.search("vectors.vec.*" + message, str(caught.value))
    assert "secret" not in str(caught.value)


def test_paths_that_cannot_be_read(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match=r"none\.vec: cannot be read: No such file"):
        read_vectors(tmp_path / "none.vec")
    with pytest.raises(FormatError, match="cannot be read"):
        read_vectors(tmp_path)


words = st.text(st.sampled_from(re.sub(r"[ \t\r\n\ufeff]", "", ALPHABET)), min_size=1, max_size=6)
numbers = st.floats(width=32, allow_nan=False, allow_infinity=False)


@st.composite
def tables(draw: st.DrawFn) -> Table:
    size = draw(st.integers(1, 4))
    row = st.lists(numbers, min_size=size, max_size=size)
    return draw(st.lists(st.tuples(words, row), min_size=1, max_size=5, unique_by=lambda row: row[0]))


@given(tables(), st.sampled_from(sorted(FORMS)), st.booleans())
def test_what_is_written_is_read(rows: Table, form: str, zipped: bool) -> None:
    if form.startswith("tabs"):  # eight digits are all that this form has
        rows = [(word, [float(f"{x:.8g}") for x in row]) for word, row in rows]
        assume(all(np.isfinite(np.array(row, np.float32)).all() for _, row in rows))
    if "binary" in form:  # numbers whose bytes can all be printed: with so few, who could tell?
        first = struct.pack(f"<{len(rows[0][1])}f", *rows[0][1])
        assume(re.search(rb"[^\t\r\n -~]", first))
    content = FORMS[form](rows)
    if not form.startswith(("word2vec", "binary", "a byte-order mark before a header")):
        assume(not re.match(rb"[0-9]+\s+[0-9]+\s", content))  # nor here: a word and its number, or a header
    with tempfile.TemporaryDirectory() as folder:
        file = put(Path(folder), gzip.compress(content, 1) if zipped else content)
        assert the_same(read_vectors(file), rows)


@given(tables(), st.sampled_from(sorted(FORMS)), st.booleans(), st.data())
def test_a_damaged_file_is_read_or_refused(rows: Table, form: str, zipped: bool, data: st.DataObject) -> None:
    content = bytearray(gzip.compress(FORMS[form](rows), 1) if zipped else FORMS[form](rows))
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, max(len(content) - 1, 0)))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with tempfile.TemporaryDirectory() as folder:
        try:
            vectors = read_vectors(put(Path(folder), bytes(content)))
        except FormatError:
            return
    assert len(set(vectors.words)) == len(vectors.table)
    assert np.isfinite(vectors.table).all()


def test_rows_are_in_the_words_order_with_zeros_for_the_unknown() -> None:
    vectors = Vectors(("roe", "Roe", "élan"), np.array([[1, 2], [3, 4], [5, 6]], np.float32))
    rows = vectors.rows(["Roe", "ROE", "roe", "Doe", "Élan", "", "Roe"])
    assert rows.dtype == np.float32
    assert rows.tolist() == [[3, 4], [1, 2], [1, 2], [0, 0], [5, 6], [0, 0], [3, 4]]
    assert vectors.rows([]).shape == (0, 2)
    rows[:] = 7  # what is handed out is a copy
    assert vectors.rows(["Roe"]).tolist() == [[3, 4]]


@pytest.mark.parametrize("shape", [(2, 3), (4, 3), (3,), (3, 1, 1)])
def test_a_table_must_have_a_row_for_each_word(shape: tuple[int, ...]) -> None:
    with pytest.raises(FormatError, match="3 words, but a table of"):
        Vectors(("a", "b", "c"), np.zeros(shape, np.float32))


CLASSES = {  # an invented language: each class has its slots
    "WHO": ["nurse", "doctor", "porter", "surgeon", "midwife"],
    "DOES": ["calls", "sees", "visits", "thanks", "meets"],
    "NAME": ["Roe", "Doe", "Poe", "Bloggs", "Smythe"],
    "DAY": ["Monday", "Tuesday", "Friday", "Sunday", "Saturday"],
    "PLACE": ["Northam", "Weston", "Eastley", "Suddon", "Midham"],
}
TEMPLATES = ["the WHO DOES Mr NAME on DAY", "Mr NAME of PLACE DOES the WHO", "on DAY the WHO from PLACE comes"]


def language(sentences: int, seed: int = 0) -> list[list[str]]:
    rng = np.random.default_rng(seed)
    slots = [str(template).split() for template in rng.choice(TEMPLATES, sentences)]
    return [[str(rng.choice(CLASSES[slot])) if slot in CLASSES else slot for slot in sentence] for sentence in slots]


def test_words_of_the_same_slots_are_neighbours() -> None:
    vectors = train_vectors(language(2000), size=10)
    of_class = {word: name for name, members in CLASSES.items() for word in members}
    members = list(of_class)
    rows = vectors.rows(members)
    rows /= np.linalg.norm(rows, axis=1, keepdims=True)
    nearest = np.argsort(-rows @ rows.T, axis=1, kind="stable")[:, :5]  # the word itself and the four others
    for word, near in zip(members, nearest.tolist(), strict=True):
        assert {of_class[members[i]] for i in near} == {of_class[word]}


def test_left_and_right_are_told_apart() -> None:
    vectors = train_vectors([["Mr", "Roe"], ["Mr", "Poe"], ["Roe", "Ward"], ["x", "Mr"]] * 10, size=4, window=1)
    roe, poe, ward = vectors.rows(["Roe", "Poe", "Ward"])
    assert roe @ poe > 0.5  # both follow Mr
    assert (
        abs(ward @ poe) < 1e-6
    )  # Ward follows Roe, Poe follows Mr; as mere neighbours of neighbours they would be near


def test_training_is_the_same_every_time_and_whatever_the_order() -> None:
    sentences = language(300)
    first = train_vectors(sentences, seed=3)
    for again in (train_vectors(iter(sentences), seed=3), train_vectors(sentences[::-1], seed=3)):
        assert again.words == first.words
        assert np.array_equal(again.table, first.table)
    assert train_vectors(sentences, size=5, seed=4).table == pytest.approx(first.table[:, :5], abs=1e-2)


def test_only_frequent_words_have_vectors() -> None:
    sentences = [["b", "a"]] * 3 + [["c", "a", "d"]] * 2 + [["once", "a"]]
    assert train_vectors(sentences, minimum=2).words == ("a", "b", "c", "d")  # by frequency, then by name
    assert train_vectors(sentences, minimum=4).words == ("a",)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cooccurrence, "MOST_WORDS", 3)
        assert train_vectors(sentences, minimum=1).words == ("a", "b", "c")


@pytest.mark.parametrize("sentences", [[], [[]], [["a"]] * 9, [["a", "b"]], [["a"] * 9]])
def test_where_there_is_nothing_to_learn_the_vectors_are_zero(sentences: list[list[str]]) -> None:
    vectors = train_vectors(sentences, size=7)
    assert vectors.table.shape == (len(vectors.words), 7)
    assert not vectors.table[:, 1:].any()
    assert vectors.rows(["b", "other"]).tolist() == [[0.0] * 7] * 2


def test_sizes_below_one_are_refused() -> None:
    for name in ("size", "window", "minimum"):
        with pytest.raises(ValueError, match="must be at least 1"):
            train_vectors([["a"]], **{name: 0})


sequences = st.lists(st.lists(st.sampled_from("abcdef"), max_size=9), max_size=6)


def naive_counts(sentences: list[list[str]], words: list[str], window: int) -> Counter[tuple[str, int, str]]:
    return Counter(
        (word, j - i, sentence[j])
        for sentence in sentences
        for i, word in enumerate(sentence)
        for j in range(max(0, i - window), min(len(sentence), i + window + 1))
        if i != j and word in words and sentence[j] in words
    )


@fewer
@given(sequences, st.integers(1, 4), st.integers(1, 3), st.integers(1, 5))
def test_counts_and_ppmi_are_what_loops_would_find(
    sentences: list[list[str]], window: int, minimum: int, block: int
) -> None:
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cooccurrence, "_BLOCK", block)
        words, ids, sequence = vocabulary(sentences, minimum)
        codes, counts = neighbours(ids, sequence, len(words), window)
    frequency = Counter(word for sentence in sentences for word in sentence)
    assert words == sorted((w for w in frequency if frequency[w] >= minimum), key=lambda word: (-frequency[word], word))
    expected = naive_counts(sentences, words, window)
    found: dict[tuple[str, int, str], int] = {}
    for code, count in zip(codes.tolist(), counts.tolist(), strict=True):
        word, column = divmod(code, 2 * window * len(words))
        slot, neighbour = divmod(column, len(words))
        found[words[word], (slot // 2 + 1) * (1 if slot % 2 else -1), words[neighbour]] = count
    assert found == expected

    matrix = ppmi(codes, counts, (len(words), 2 * window * len(words)))
    of_word: Counter[str] = Counter()
    of_context: Counter[tuple[int, str]] = Counter()
    for (word, place, neighbour), count in expected.items():
        of_word[word] += count
        of_context[place, neighbour] += count
    total = sum(count**SMOOTHING for count in of_context.values())
    pmi = [
        math.log(count / of_word[word] / (of_context[place, neighbour] ** SMOOTHING / total))
        for (word, place, neighbour), count in expected.items()
    ]
    assert sorted(matrix.values.tolist()) == pytest.approx(sorted(x for x in pmi if x > 0))


def sparse(dense: Floats) -> Sparse:
    rows, columns = np.nonzero(dense)
    return Sparse(
        rows.astype(np.int64), columns.astype(np.int64), dense[rows, columns], (dense.shape[0], dense.shape[1])
    )


@st.composite
def matrices(draw: st.DrawFn) -> Floats:
    rng = np.random.default_rng(draw(st.integers(0, 1000)))
    shape = draw(st.tuples(st.integers(1, 12), st.integers(1, 12)))
    dense: Floats = rng.random(shape) * (rng.random(shape) < draw(st.sampled_from([0.0, 0.2, 0.6, 1.0])))
    return dense


@fewer
@given(matrices(), st.integers(1, 20))
def test_sparse_products_are_the_dense_ones(dense: Floats, chunk: int) -> None:
    other = np.random.default_rng(0).random((dense.shape[1], 3))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(cooccurrence, "_CHUNK", chunk)
        assert sparse(dense).times(other) == pytest.approx(dense @ other)
        assert sparse(dense).transposed().times(dense) == pytest.approx(dense.T @ dense)


@fewer
@given(matrices(), st.integers(1, 12))
def test_the_decomposition_is_the_exact_one_where_the_matrix_is_small(dense: Floats, size: int) -> None:
    vectors, values = svd(sparse(dense), size, 0)
    exact_vectors, exact, _ = np.linalg.svd(dense)
    exact = np.pad(exact, (0, size))[:size]
    assert values == pytest.approx(exact, abs=2e-5)  # what is a millionth of the greatest counts as zero
    assert (vectors.T @ vectors)[np.ix_(values > 0, values > 0)] == pytest.approx(np.eye((values > 0).sum()), abs=1e-6)
    assert (vectors.max(axis=0) >= -vectors.min(axis=0)).all()
    apart = np.diff(exact, prepend=np.inf, append=0)
    for i in np.flatnonzero((apart[:-1] < -0.05) & (apart[1:] < -0.05) & (exact > 0.05)):  # then they are unique
        assert abs(vectors[:, i] @ exact_vectors[:, i]) == pytest.approx(1, abs=1e-6)


def test_the_decomposition_is_close_where_the_matrix_is_large() -> None:
    rng = np.random.default_rng(1)
    dense = (rng.random((300, 20)) @ rng.random((20, 400)) + rng.random((300, 400))) * (rng.random((300, 400)) < 0.3)
    _, values = svd(sparse(dense), 20, 0)
    assert values == pytest.approx(np.linalg.svd(dense)[1][:20], rel=0.03)

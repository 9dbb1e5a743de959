"""Treebanks: the text as it is written, a part of speech for each written word, and the way to our tokens and back."""

from __future__ import annotations

import math
import re
import tempfile
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from elision.errors import FormatError, LabelError
from elision.taggers.linear.pos.treebank import (
    UPOS,
    Sentence,
    read_treebank,
    straddling,
    tags_of,
    word_accuracy,
    word_tags,
)
from elision.text.tokens import tokenize
from tests.notes import CORPORA
from tests.strategies import ALPHABET

UD = CORPORA / "ud"


def row(id: object, form: str, tag: str = "_", misc: str = "_") -> str:
    return f"{id}\t{form}\t_\t{tag}\t_\t_\t_\t_\t_\t{misc}\n"


def put(folder: Path, content: str, name: str = "sample.conllu") -> Path:
    (folder / name).write_bytes(content.encode())
    return folder / name


def shown(sentence: Sentence) -> str:
    return " ".join(f"{sentence.text[start:end]}/{tag}" for start, end, tag in sentence.words)


ENGLISH = (
    "# newdoc id = ward\n# sent_id = ward-1\n# text = The nurse can't see Mr.Roe.\n"
    + row(1, "The", "DET")
    + row(2, "nurse", "NOUN")
    + row("3-4", "can't")
    + row(3, "ca", "AUX", "SpaceAfter=No")  # of a word in a range, nothing but the tag counts
    + row(4, "n't", "PART")
    + row(5, "see", "VERB", "Cxn=Made-up")
    + row("5.1", "him", "PRON")
    + row(6, "Mr.", "NOUN", "Gloss=mister|SpaceAfter=No")
    + row(7, "Roe", "PROPN", "SpaceAfter=No")
    + row(8, ".", "PUNCT")
)
SPANISH = (
    "# text = Vuelve del turno.\n"
    + row(1, "Vuelve", "VERB")
    + row("2-3", "del")
    + row(2, "de", "ADP")
    + row(3, "el", "DET")
    + row(4, "turno", "NOUN", "SpaceAfter=No")
    + row(5, ".", "PUNCT", "SpaceAfter=No")
)
DUTCH = (
    "# text=20 000 bedden\u00a0 vrij in 2de ronde.\n"
    + row("0.1", "er", "ADV")
    + row(1, "20 000", "NUM")
    + row(2, "bedden", "NOUN", "SpacesAfter=\\u00A0\\s")
    + row(3, "vrij", "ADJ")
    + row(4, "in", "ADP")
    + row(5, "2de", "ADJ")
    + row(6, "ronde", "NOUN", "SpaceAfter=No")
    + row(7, ".", "PUNCT", "SpacesAfter=\\s\\n")
)
CHINESE = (
    "# text = 护士住在河边。\n"
    + row(1, "护士", "NOUN", "SpaceAfter=No|Translit=x")
    + row(2, "住在", "VERB", "Translit=x|SpaceAfter=No")
    + row(3, "河边", "NOUN", "SpaceAfter=No")
    + row(4, "。", "PUNCT", "SpaceAfter=No")
)
SENTENCES = [
    (
        "English: a multiword token, an empty node, other values beside SpaceAfter",
        ENGLISH,
        "The nurse can't see Mr.Roe.",
        "The/DET nurse/NOUN can't/AUX see/VERB Mr./NOUN Roe/PROPN ./PUNCT",
        "The/DET nurse/NOUN can/AUX '/AUX t/AUX see/VERB Mr/NOUN ./NOUN Roe/PROPN ./PUNCT",
    ),
    (
        "Spanish: two words written as one",
        SPANISH,
        "Vuelve del turno.",
        "Vuelve/VERB del/ADP turno/NOUN ./PUNCT",
        "Vuelve/VERB del/ADP turno/NOUN ./PUNCT",
    ),
    (
        "Dutch: a word with a blank, unusual white space, an empty node before the first word",
        DUTCH,
        "20 000 bedden\u00a0 vrij in 2de ronde.",
        "20 000/NUM bedden/NOUN vrij/ADJ in/ADP 2de/ADJ ronde/NOUN ./PUNCT",
        "20/NUM 000/NUM bedden/NOUN vrij/ADJ in/ADP 2/ADJ de/ADJ ronde/NOUN ./PUNCT",
    ),
    (
        "Chinese: no blanks, a token for each character",
        CHINESE,
        "护士住在河边。",
        "护士/NOUN 住在/VERB 河边/NOUN 。/PUNCT",
        "护/NOUN 士/NOUN 住/VERB 在/VERB 河/NOUN 边/NOUN 。/PUNCT",
    ),
]


@pytest.mark.parametrize(
    ("content", "text", "words", "tokens"), [case[1:] for case in SENTENCES], ids=[case[0] for case in SENTENCES]
)
def test_sentences_in_four_languages(content: str, text: str, words: str, tokens: str, tmp_path: Path) -> None:
    (sentence,) = read_treebank(put(tmp_path, content + "\n"))
    assert sentence.text == text
    assert shown(sentence) == words
    ours = tokenize(text)
    tags = tags_of(sentence, ours)
    assert " ".join(map("{}/{}".format, ours.texts(text), tags)) == tokens
    assert straddling(sentence, ours) == 0
    assert word_tags(sentence, ours, tags) == [tag for _, _, tag in sentence.words]


def test_a_folder_with_line_ends_of_all_kinds_and_without_the_last_blank_line(tmp_path: Path) -> None:
    put(tmp_path, "\n\n" + ENGLISH + "\n \n" + SPANISH, "1.conllu")
    put(tmp_path, "\ufeff" + (DUTCH + "\n" + CHINESE + "\n").replace("\n", "\r\n"), "2.conllu")
    put(tmp_path, "not read", "LICENSE.txt")
    assert [sentence.text for sentence in read_treebank(tmp_path)] == [case[2] for case in SENTENCES]


def test_a_text_without_its_comment_and_comments_without_a_text(tmp_path: Path) -> None:
    content = "# a licence\n\n" + row(1, "Ward", "NOUN", "SpacesAfter=\\n\\t") + row(2, "3", "NUM") + "\n# the end\n"
    assert [sentence.text for sentence in read_treebank(put(tmp_path, content))] == ["Ward\n\t3"]


def test_a_comment_cannot_hold_line_breaks_so_white_space_may_differ_in_kind(tmp_path: Path) -> None:
    content = "# text = Ward 3\n" + row(1, "Ward", "NOUN", "SpacesAfter=\\r\\n") + row(2, "3", "NUM")
    assert [sentence.text for sentence in read_treebank(put(tmp_path, content))] == ["Ward\r\n3"]


def test_a_token_that_reaches_into_the_next_word_has_the_first_ones_tag(tmp_path: Path) -> None:
    content = (
        row(1, "alot", "DET", "SpaceAfter=No") + row(2, "of", "ADP", "SpaceAfter=No") + row(3, "3km", "NOUN")
    )  # "alotof" is one token of ours, "3" and "km" are two
    (sentence,) = read_treebank(put(tmp_path, content))
    tokens = tokenize(sentence.text)
    assert tokens.texts(sentence.text) == ["alotof", "3", "km"]
    assert tags_of(sentence, tokens) == ["DET", "NOUN", "NOUN"]
    assert straddling(sentence, tokens) == 1
    assert word_tags(sentence, tokens, ["DET", "NUM", "X"]) == ["DET", "DET", "NUM"]


def test_accuracy_counts_words_and_not_tokens() -> None:
    sentence = Sentence("O'Neil came", ((0, 6, "PROPN"), (7, 11, "VERB")))
    tokens = tokenize(sentence.text)
    assert tokens.texts(sentence.text) == ["O", "'", "Neil", "came"]
    assert word_accuracy([(sentence, tokens, ["PROPN", "X", "X", "VERB"])]) == 1
    assert word_accuracy([(sentence, tokens, ["X", "PROPN", "PROPN", "VERB"])]) == 0.5
    other = Sentence("Yes", ((0, 3, "INTJ"),))
    rows = [(sentence, tokens, ["X"] * 4), (other, tokenize("Yes"), ["INTJ"])]
    assert word_accuracy(rows) == pytest.approx(1 / 3)
    assert math.isnan(word_accuracy([]))
    with pytest.raises(LabelError, match="3 tags for 4 tokens"):
        word_accuracy([(sentence, tokens, ["X"] * 3)])


def test_a_sentence_of_nothing() -> None:
    tokens = tokenize("")
    nothing = Sentence("", ())
    assert (tags_of(nothing, tokens), straddling(nothing, tokens), word_tags(nothing, tokens, [])) == ([], 0, [])


TEXT = "# text = secret word\n"
BAD = [
    ("another format", "secret -X- O O\n", r":1: 1 columns where 10 are needed"),
    ("a column less", row(1, "secret", "NOUN").removesuffix("\t_\n") + "\n", r":1: 9 columns"),
    ("a column more", row(1, "secret", "NOUN", "_\t_"), r":1: 11 columns"),
    ("no id", row("secret", "secret", "NOUN"), r":1: column 1 is not an id"),
    ("an id in other digits", row("１", "secret", "NOUN"), r":1: column 1 is not an id"),
    ("half a range", row("1-", "secret"), r":1: column 1 is not an id"),
    ("an id left out", row(1, "secret", "NOUN") + row(3, "word", "NOUN"), r":2: the ids must be 1, 2, 3"),
    ("an id twice", row(1, "secret", "NOUN") + row(1, "word", "NOUN"), r":2: the ids must be 1, 2, 3"),
    ("a blank line forgotten", SPANISH + row(1, "secret", "NOUN"), r":8: the ids must be 1, 2, 3"),
    ("a range after its words", row(1, "secret", "X") + row("1-2", "secret"), r":2: .* stand before their words"),
    ("a range backwards", row("1-0", "secret") + row(1, "word", "X"), r":1: the ids must be"),
    (
        "ranges that overlap",
        row("1-2", "secret") + row(1, "a", "X") + row("2-3", "secret") + row(2, "b", "X") + row(3, "c", "X"),
        r":3: the ids must be",
    ),
    ("a range without its words", row("1-2", "secret") + row(1, "a", "X"), r":2: the sentence ends .* ends in 2"),
    ("a range with nothing", row("1-2", "secret"), r":1: the sentence ends before"),
    ("no part of speech", row(1, "secret"), r":1: column 4 is not one of the 17"),
    ("a part of speech of another set", row(1, "secret", "NN"), r":1: column 4 is not one of the 17"),
    ("none inside a range", row("1-2", "a") + row(1, "secret", "X") + row(2, "b", "secret"), r":3: column 4 is not"),
    ("no word", row(1, "", "NOUN"), r":1: column 2 is empty"),
    ("white space for a word", row(1, "\u3000", "NOUN"), r":1: column 2 is empty"),
    ("white space at a word's edge", row(1, "secret ", "NOUN"), r":1: column 2 is empty, or"),
    ("a multiword token without a form", row("1-1", "") + row(1, "secret", "NOUN"), r":1: column 2 is empty"),
    ("SpacesAfter with letters", row(1, "a", "X", "SpacesAfter=\\ssecret"), r":1: SpacesAfter is not white space"),
    ("an escape that there is not", row(1, "a", "X", "SpacesAfter=\\p"), r":1: SpacesAfter is not white space"),
    ("half a character", row(1, "a", "X", "SpacesAfter=\\uD800"), r":1: SpacesAfter is not white space"),
    ("a word missing", TEXT + row(1, "secret", "X"), r":1: the words below do not make up the text"),
    ("a word more", TEXT + row(1, "secret", "X") + row(2, "word", "X") + row(3, "a", "X"), r":1: the words below"),
    ("another word", "\n# x\n" + TEXT + row(1, "secret", "X") + row(2, "Word", "X"), r":3: the words below"),
    ("a text without words", TEXT + "\n" + row(1, "secret", "X"), r":1: the words below"),
    ("SpaceAfter forgotten", "# text = secret.\n" + row(1, "secret", "X") + row(2, ".", "PUNCT"), r":1: .*SpaceAfter"),
    ("SpaceAfter too much", TEXT + row(1, "secret", "X", "SpaceAfter=No") + row(2, "word", "X"), r":1: the words"),
]


@pytest.mark.parametrize(("content", "message"), [case[1:] for case in BAD], ids=[case[0] for case in BAD])
def test_bad_lines(content: str, message: str, tmp_path: Path) -> None:
    with pytest.raises(FormatError) as caught:
        list(read_treebank(put(tmp_path, content)))
    assert re.search("sample.conllu" + message, str(caught.value))
    assert "secret" not in str(caught.value)


def test_bad_files(tmp_path: Path) -> None:
    with pytest.raises(FormatError, match="no such file or folder"):
        list(read_treebank(tmp_path / "none.conllu"))
    with pytest.raises(FormatError, match=r"no file here ends in \.conllu"):
        list(read_treebank(tmp_path))
    (tmp_path / "latin.conllu").write_bytes(row(1, "señal", "NOUN").encode("latin-1"))
    with pytest.raises(FormatError, match=r"latin.conllu:1: byte 4 of the line is not utf-8"):
        list(read_treebank(tmp_path))


forms = (
    st.text(st.sampled_from(ALPHABET.replace("\t", "").replace("\n", "")), min_size=1, max_size=5)
    .map(str.strip)
    .filter(bool)
)
tags = st.sampled_from(UPOS)
spaces = st.text(st.sampled_from(" \t\r\n\u00a0\u2028"), max_size=2)
surfaces = st.lists(st.tuples(forms, st.lists(tags, min_size=1, max_size=3), spaces), min_size=1, max_size=6)


def written(surface: list[tuple[str, list[str], str]], data: st.DataObject) -> str:
    """CoNLL-U of written words, each with the tags of the words in it and the white space after it."""
    lines, following = "", 1
    for form, inside, space in surface:
        escaped = {" ": "_", "": "SpaceAfter=No"}.get(space) or "SpacesAfter=" + "".join(
            {" ": "\\s", "\t": "\\t", "\r": "\\r", "\n": "\\n"}.get(blank, f"\\u{ord(blank):04X}") for blank in space
        )
        if len(inside) == 1 and data.draw(st.booleans()):
            lines += row(following, form, inside[0], escaped)
        else:
            lines += row(f"{following}-{following + len(inside) - 1}", form, "_", escaped)
            lines += "".join(row(following + i, "x", tag) for i, tag in enumerate(inside))
        following += len(inside)
        if data.draw(st.booleans()):
            lines += row(f"{following - 1}.1", "x", "VERB")
    return lines + "\n"


@given(st.data())
def test_offsets_lead_to_the_words_and_the_words_to_the_text(data: st.DataObject) -> None:
    sentences = data.draw(st.lists(surfaces, max_size=3))
    with tempfile.TemporaryDirectory() as folder:
        file = put(Path(folder), "".join(written(surface, data) for surface in sentences))
        read = list(read_treebank(file))
    assert len(read) == len(sentences)
    for sentence, surface in zip(read, sentences, strict=True):
        assert sentence.text == "".join(form + space for form, _, space in surface)[: sentence.words[-1][1]]
        assert [sentence.text[start:end] for start, end, _ in sentence.words] == [form for form, _, _ in surface]
        assert [tag for _, _, tag in sentence.words] == [inside[0] for _, inside, _ in surface]
        _check_tags(sentence)


@given(surfaces, st.data())
def test_a_damaged_file_is_read_or_refused(surface: list[tuple[str, list[str], str]], data: st.DataObject) -> None:
    content = bytearray(written(surface, data).encode())
    for _ in range(data.draw(st.integers(1, 3))):
        at = data.draw(st.integers(0, len(content)))
        content[at : at + data.draw(st.integers(0, 3))] = data.draw(st.binary(max_size=3))
    with tempfile.TemporaryDirectory() as folder:
        (Path(folder) / "sample.conllu").write_bytes(content)
        try:
            sentences = list(read_treebank(Path(folder)))
        except FormatError:
            return
    for sentence in sentences:
        _check_tags(sentence)


def _check_tags(sentence: Sentence) -> None:
    """Each token has the tag of the word with its first character; a word gets its own tag back, or its neighbour's."""
    tokens = tokenize(sentence.text)
    found = tags_of(sentence, tokens)
    owner = {i: number for number, (start, end, _) in enumerate(sentence.words) for i in range(start, end)}
    begins = [owner[start] for start in tokens.starts.tolist()]
    assert found == [sentence.words[number][2] for number in begins]
    assert straddling(sentence, tokens) == sum(
        owner[end - 1] > number for end, number in zip(tokens.ends.tolist(), begins, strict=True)
    )
    back = word_tags(sentence, tokens, found)
    if straddling(sentence, tokens) == 0:
        assert back == [tag for _, _, tag in sentence.words]


SIZES = {  # sentences, words, tokens that reach into the next word
    "en_ewt-ud-dev": (2001, 24_787, 13),
    "en_ewt-ud-test": (2077, 24_740, 12),
    "es_gsd-ud-dev": (1400, 36_464, 29),
    "es_gsd-ud-test": (427, 11_735, 4),
    "es_pud-ud-test": (1000, 22_816, 0),
    "nl_alpino-ud-dev": (718, 11_541, 0),
    "nl_alpino-ud-test": (596, 11_046, 0),
    "nl_lassysmall-ud-dev": (1542, 28_129, 0),
    "nl_lassysmall-ud-test": (1761, 28_995, 0),
    "zh_gsdsimp-ud-dev": (500, 12_663, 0),
    "zh_gsdsimp-ud-test": (500, 12_012, 0),
}


@pytest.mark.skipif(not UD.is_dir(), reason="the Universal Dependencies treebanks are not beside the project")
@pytest.mark.parametrize("name", SIZES)
def test_real_treebanks(name: str) -> None:
    file = UD / f"{name}.conllu"
    sentences = list(read_treebank(file))
    stated = re.findall("^# text = (.*)$", file.read_text("utf-8"), re.MULTILINE)
    assert [sentence.text for sentence in sentences] == stated
    tokens = [tokenize(sentence.text) for sentence in sentences]
    across = sum(map(straddling, sentences, tokens))
    assert (len(sentences), sum(len(sentence.words) for sentence in sentences), across) == SIZES[name]
    tagged = [(sentence, ours, tags_of(sentence, ours)) for sentence, ours in zip(sentences, tokens, strict=True)]
    assert word_accuracy(tagged) >= 1 - across / SIZES[name][1]

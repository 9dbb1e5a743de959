"""The neural taggers of the papers, with their ablations as switches. Nothing is hidden here.

Each function gives the `NeuralSettings` from which `taggers.store.fit` learns with torch (extra `train`). Where a paper
is silent, the docstring says what we chose, and a setting is there for the other choice.
"""

from __future__ import annotations

from typing import Any

from elision.taggers.neural.settings import NeuralSettings
from elision.taggers.settings import settings_with


def ts_gru(language: str = "", *, r: float = 0.14, **more: Any) -> NeuralSettings:
    """TS-GRU of Zhao 2018: a bidirectional GRU over the text and one over its skeleton, joined, then softmax.

    As the paper has it: digits are DIGIT, lines of a note are joined by #RETURN, embeddings and states of 150, dropout
    of .5 before the softmax, RMSprop, a fifth of the notes for early stopping, BIO tags.
    The factor r is .25 for i2b2 2006, .10 for 2014, .14 for the Chinese notes: the last one is our default.

    What the paper leaves open, and what we chose:

    - `reading`: how a context window of 7 scans a note. "middle": the layers read the window around each token and say
      what the middle one is. "chunks": windows beside one another. "joined": the words of the window beside one another
      as the input of each step of a whole note. The paper says that a window scans the record, as a record is too long
      for a recurrent network, and that a small one has too little context: this speaks for "middle".
    - `kept`: the skeleton keeps words that are frequent at least as t, or more than t; see `skeleton`.
    - How the branches are joined: their states beside one another.
    - "Early-stopping epoch: 8": at most 8 epochs, and the best of them on the notes put aside, by strict F1. With
      `patience` learning stops after so many without gain.
    - Rate .001 and batches of 64 windows; the rate is Keras's own, its batches would be of 32.
    - Embeddings begin with vectors of neighbouring words in the training notes (PPMI and a singular value
      decomposition); the paper names no method. `pretrained` takes others, from `elision pretrain`.
    - Words of one or two notes or patients are unknown words, so that a model lists no names; `least=1` keeps all.
    - Tokens are ours; Chinese wants `words=True`, as the paper annotates after segmentation.
    - Gates are sigmoid functions as in Equations 1 and 2, where Keras's were piecewise linear. They have biases.
    """
    return settings_with(NeuralSettings(language=language, r=r), {}, more)


def bi_gru(language: str = "", **more: Any) -> NeuralSettings:
    """The paper's baseline with the text alone; all else is as in `ts_gru`."""
    return ts_gru(language, r=0.0, **more)


def bi_lstm(language: str = "", **more: Any) -> NeuralSettings:
    """The paper's baseline with an LSTM over the text alone; all else is as in `ts_gru`."""
    return ts_gru(language, r=0.0, **{"cell": "lstm", **more})


QUICK: dict[str, Any] = {
    "characters": "cnn", "optimiser": "adam", "rate": 0.003, "falling": True, "epochs": 16, "patience": 0
}  # fmt: skip


def bilstm_crf(language: str = "", *, pretrained: str = "", quick: bool | None = None, **more: Any) -> NeuralSettings:
    """BiLSTM-CRF of Trienes 2020: word vectors beside contextual strings, an LSTM of 256 in each direction, a CRF.

    As the paper has it: locked dropout of .5, SGD with rate .1 that is halved after 3 epochs without a lower loss, an
    end below 1e-4 or at 150 epochs, batches of 32 sequences.

    `pretrained` names a folder of `elision pretrain`, which learns word vectors and character language models from a
    user's own notes; the paper downloads GloVe or fastText and the models of Flair. Without it, the `quick` variant is
    the default, which is not the paper's: a convolution looks at the characters of each word, word vectors of 100 are
    learnt from the training notes, and Adam with a rate that falls from .003 learns in 16 epochs.

    What we chose: sequences are lines, as the paper's sentence splitter is not here; whole notes only where more than
    one span in twenty runs over a line's end, as the network learns far less from few long sequences.
    Tokens are ours, finer than the paper's, so the network is told what stands before each (`gaps`). Word vectors are
    learnt on, the contextual strings are not. Dropout stands before the LSTM and behind it. Gradients longer than 5 are
    shortened, as Flair does. Tags are those that are right most often (posterior decoding), not the best path.
    """
    published = NeuralSettings(
        language=language,
        pretrained=pretrained,
        digits="zero",
        lower=True,
        returns=False,
        gaps=True,
        embedding=100,
        cell="lstm",
        hidden=256,
        reading="whole",
        unit="auto",
        output="crf",
        locked=True,
        optimiser="sgd",
        rate=0.1,
        clip=5.0,
        batch=32,
        epochs=150,
        patience=3,
        validation=0.0,
    )
    return settings_with(published, QUICK if (quick is None and not pretrained) or quick else {}, more)

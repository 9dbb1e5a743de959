"""The assembled taggers by their name: ours, and those of plug-ins, such as the papers'."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from inspect import signature
from typing import Any

from elision.document import Document
from elision.errors import ModelError
from elision.plugins import names, plugin
from elision.taggers.encoder.preset import encoder
from elision.taggers.linear.presets import elision_best, elision_fast

PRESETS: dict[str, Callable[..., Any]] = {
    "elision-fast": elision_fast,
    "elision-best": elision_best,
    "encoder": encoder,
}


def presets() -> dict[str, Callable[..., Any]]:
    """All presets by name: ours, then those of plug-ins."""
    return {**PRESETS, **{name: plugin("presets", name, "the preset") for name in names("presets")}}


def preset_function(name: str) -> Callable[..., Any]:
    """The function of a preset."""
    known = PRESETS if name in PRESETS else presets()
    make = known.get(name) or known.get(name.replace("_", "-"))
    if make is None:
        raise ModelError(f"no preset {name[:40]!r}; there are: {', '.join(known)}")
    return make


def preset(name: str, documents: Sequence[Document] = (), **chosen: Any) -> Any:
    """The preset of this name with what was chosen in its place; He's takes its dictionaries from the documents."""
    make = preset_function(name)
    if documents and "documents" in signature(make).parameters:
        chosen["documents"] = documents
    return make(**chosen)

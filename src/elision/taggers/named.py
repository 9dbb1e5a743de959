"""Models by name: those that come with elision by their language or as "shipped", others by their folder."""

from __future__ import annotations

from pathlib import Path

from elision.errors import ModelError
from elision.languages.base import COMMON, ENCODER, folder, languages
from elision.models import swap
from elision.taggers.base import Tagger
from elision.taggers.store import load

SHIPPED = "shipped"  # the encoder that comes with elision


def shipped_models() -> dict[str, Path]:
    """The folders of the models that come with elision, by name."""
    models = {code: one.path("model") for code, one in languages().items() if one.has("model")}
    if (encoder := folder(COMMON, ENCODER)).is_dir():
        models[SHIPPED] = encoder
    return models


def model_folder(name: str | Path, option: str = "") -> Path:
    """The folder of a model. `option` is what a message calls the place where the name was given."""
    models = shipped_models()
    if str(name) in models:
        return models[str(name)]
    if not Path(name).exists() and not swap.set_aside(Path(name)):
        raise ModelError(
            f"{option} {name}: there is no such folder, and elision has no model of this name; it has "
            f"{', '.join(models)}".lstrip()
        )
    return Path(name)


def model_named(name: str | Path, option: str = "") -> Tagger:
    """The model of this name or in this folder."""
    return load(model_folder(name, option))

"""Presidio's names for our labels: those of a language, and those that somebody asks for."""

from __future__ import annotations

from collections.abc import Collection, Mapping

from elision.labels import canonical, tag_set

TAGS = tag_set("presidio")


def entities(language: str) -> dict[str, str]:
    """How each of our labels is called in a language: of several names that of its country, as ES_NIF in Spanish."""
    country = f"{language.partition('-')[0].upper()}_"
    own: dict[str, str] = {}
    for name, tag in TAGS.tags.items():
        if name.startswith(country):
            own.setdefault(tag.label, name)
    return {label: own.get(label) or TAGS.to_tag[label] for label in canonical() if label in TAGS.to_tag}


def asked(label: str, names: Mapping[str, str], wanted: Collection[str]) -> str:
    """By which of the names that are asked for a label goes: its own, or another that means the same; "" by none."""
    own = names.get(label, "")
    if own in wanted:
        return own
    return next((name for name in wanted if name in TAGS.tags and TAGS.tags[name].label == label), "")

"""UIMA CAS, as XMI and as JSON: what INCEpTION, WebAnno and GraSCCo_PHI export.

The spans are in the layer `webanno.custom.PHI`, their labels in its feature `kind`. UIMA counts offsets in UTF-16
units. dkpro-cassis turns them into code points when it reads, and back when it writes. It only warns of an offset that
it cannot turn; here such a warning is an error. Every XMI and type system goes through elision's own XML parser first,
because the one that dkpro-cassis uses would expand the entities of a DTD.
"""

from __future__ import annotations

import io
import re
import warnings
from collections.abc import Callable, Iterable, Iterator
from functools import cache
from pathlib import Path
from typing import Any

from elision.document import Document, Span
from elision.errors import FormatError, MissingExtraError, shown
from elision.formats import xml
from elision.formats.atomic import write_text
from elision.formats.files import file_for, files_below, id_of, parse_json, read_bytes, read_text
from elision.formats.format import Format, Holds, Reading, Remarks, Sample

PHI, KIND = "webanno.custom.PHI", "kind"
ANNOTATION = "uima.tcas.Annotation"
VIEW = "_InitialView"

# Layers that segment or describe a text; they never hold labels of spans.
STRUCTURE = (
    "uima.tcas.DocumentAnnotation",
    "de.tudarmstadt.ukp.dkpro.core.api.segmentation.type.",
    "de.tudarmstadt.ukp.dkpro.core.api.metadata.type.",
)


def cassis(name: str) -> Any:
    try:
        import cassis
    except ImportError:
        raise MissingExtraError(f"the format {name}", "uima") from None
    return cassis


@cache
def _types() -> Any:
    """The type system of what we write: the layer with a label, and a score and a source where a span has them."""
    types = cassis("uima-xmi").TypeSystem()
    layer = types.create_type(PHI, ANNOTATION)
    for feature, kind in ((KIND, "String"), ("score", "Double"), ("source", "String")):
        types.create_feature(layer, feature, f"uima.cas.{kind}")
    return types


def read_xmi(path: Path, how: Reading) -> Iterator[Document]:
    """One note from each `.xmi` file; the type system is `TypeSystem.xml` beside it or in a folder above."""
    load = cassis("uima-xmi").load_cas_from_xmi
    types: dict[Path, Any] = {}
    for file in files_below(path, ".xmi"):
        data = read_bytes(file, how)
        if xml.parse(data, str(file)).tag != "{http://www.omg.org/XMI}XMI":
            raise FormatError(f"{file}: not XMI: the root element is another")
        if file.parent not in types:
            types[file.parent] = _types_for(file, path, how)
        cas = _loaded(file, load, io.BytesIO(data), types[file.parent], trusted=True)
        yield _document(cas, file, id_of(file, path), how)


def read_json(path: Path, how: Reading) -> Iterator[Document]:
    """One note from each `.json` file; the type system is in the file, or as for XMI."""
    load = cassis("uima-json").load_cas_from_json
    for file in files_below(path, ".json"):
        text = read_text(file, how).removeprefix("\ufeff")
        tree = parse_json(text, str(file))
        if not isinstance(tree, dict) or "%FEATURE_STRUCTURES" not in tree or "%VIEWS" not in tree:
            raise FormatError(f"{file}: not a CAS: %FEATURE_STRUCTURES and %VIEWS are expected")
        own = isinstance(tree.get("%TYPES"), dict)
        types = None if own else _types_for(file, path, how)
        cas = _loaded(file, load, text, types, merge_typesystem=own)
        yield _document(cas, file, id_of(file, path), how)


def _types_for(file: Path, root: Path, how: Reading) -> Any:
    """The type system in the file's folder or the nearest above, up to the one that holds `root`; else our own."""
    for folder in file.parents:
        for found in sorted(folder.iterdir()):
            if found.name.lower() == "typesystem.xml":
                data = read_bytes(found, how)
                xml.parse(data, str(found))
                return _loaded(found, cassis("uima-xmi").load_typesystem, io.BytesIO(data))
        if folder == root.parent:
            break
    return _types()


def _loaded(file: Path, load: Callable[..., Any], *values: Any, **options: Any) -> Any:
    """What dkpro-cassis makes of a file; its many ways to fail become one that names the file, not the content."""
    from cassis.typesystem import TypeNotFoundError

    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        try:
            loaded = load(*values, **options)
        except TypeNotFoundError as error:
            name = re.search(r"\[([^\[\]]*)\]", error.message)
            raise FormatError(
                f"{file}: the type{_named(name[1]) if name else ''} is not known; "
                "put the TypeSystem.xml that was exported with this file beside it"
            ) from None
        except (
            ArithmeticError,
            AttributeError,
            LookupError,
            RuntimeError,
            SyntaxError,
            TypeError,
            ValueError,
        ) as error:
            raise FormatError(f"{file}: not a CAS that can be read ({type(error).__name__})") from None
    # Other warnings are about type systems that define a feature twice, which is harmless.
    if any("Not mapping" in str(warning.message) for warning in caught):
        raise FormatError(f"{file}: an offset lies outside the text or inside a character (offsets are UTF-16 units)")
    return loaded


def _named(name: str) -> str:
    """The name of a type or feature, with a space before it; the names of types have a dotted path in front."""
    return shown(name, " {}", most=120) or " (a long or odd name)"


def _document(cas: Any, file: Path, id: str, how: Reading) -> Document:
    views = [view.sofa.sofaID for view in cas.views if view.sofa.sofaString is not None]
    if not views:
        raise FormatError(f"{file}: no text (sofaString) in it")
    if VIEW not in views and len(views) > 1:
        raise FormatError(f"{file}: texts in {len(views)} views, and none is {VIEW}")
    if len(views) > 1:
        how.remarks.add(f"views other than {VIEW} are not taken over", str(file), len(views) - 1)
    cas = cas.get_view(VIEW if VIEW in views else views[0])
    text: str = cas.sofa_string
    language = next((found.language for found in cas.select("uima.tcas.DocumentAnnotation")), None)
    return Document(
        text, id, language="" if language in (None, "x-unspecified") else language, spans=_spans(cas, text, file, how)
    )


def _spans(cas: Any, text: str, file: Path, how: Reading) -> tuple[Span, ...]:
    layers: dict[str, list[Any]] = {}
    for found in cas.select_all_annotations():
        layers.setdefault(found.type.name, []).append(found)
    name, feature = _layer(cas.typesystem, layers, file)
    for other, passed in layers.items():
        if other not in (name, STRUCTURE[0]):
            where = f"{file}, layer{_named(other)}"
            how.remarks.add("annotations of other layers are not taken over", where, len(passed))
    chosen = layers.get(name, [])
    if chosen and name != PHI:
        how.remarks.add(f"labels are from the layer{_named(name)}; written, they go to {PHI}", str(file), len(chosen))
    # By id, which is the order in which they were made; the library sorts by offset.
    return tuple(_span(found, feature, text, file, how) for found in sorted(chosen, key=lambda found: found.xmiID))


def _span(found: Any, feature: str, text: str, file: Path, how: Reading) -> Span:
    begin, end = found.begin, found.end
    if not (isinstance(begin, int) and isinstance(end, int) and 0 <= begin <= end <= len(text)):
        raise FormatError(
            f"{file}: annotation {found.xmiID} has offsets that are missing, reversed or outside the text"
        )
    score, source = (found.get(name) if found.type.get_feature(name) else None for name in ("score", "source"))
    for other in _features(found.type):
        if other not in (feature, "score", "source") and found.get(other) is not None:
            how.remarks.add("features beside the label are not taken over", f"{file}, feature{_named(other)}")
    return Span(
        begin,
        end,
        found.get(feature) or "",
        score=float(score) if isinstance(score, int | float) else 1.0,
        source=source if isinstance(source, str) else "",
    )


def _layer(types: Any, layers: dict[str, list[Any]], file: Path) -> tuple[str, str]:
    """The layer with the labels and its feature that is the label."""
    if types.contains_type(PHI) and KIND in _features(types.get_type(PHI)):
        return PHI, KIND
    used = [name for name in layers if not name.startswith(STRUCTURE)]
    if not used:
        return PHI, KIND  # nothing in the file could be a label
    candidates = []
    for name in used:
        strings = [f for f, kind in _features(types.get_type(name)).items() if kind == "uima.cas.String"]
        if len(strings) == 1:
            candidates.append((name, strings[0]))
    if len(candidates) != 1:
        raise FormatError(
            f"{file}: no layer {PHI} with the feature {KIND}, and not one other layer with exactly one text feature to "
            f"take the labels from; the layers are{','.join(map(_named, sorted(used)))}"
        )
    return candidates[0]


def _features(kind: Any) -> dict[str, str]:
    """A layer's features beyond the offsets, with the names of their types."""
    inherited = ("sofa", "begin", "end")
    return {feature.name: feature.rangeType.name for feature in kind.all_features if feature.name not in inherited}


def _cas(document: Document, name: str) -> Any:
    types = _types()
    cas = cassis(name).Cas(types, sofa_string=document.text, sofa_mime="text/plain")
    if document.language:
        cas.document_language = document.language
        cas.get_document_annotation().end = len(document.text)
    layer = types.get_type(PHI)
    for span in document.spans:
        cas.add(
            layer(
                begin=span.start,
                end=span.end,
                kind=span.label,
                score=None if span.score == 1.0 else span.score,
                source=span.source or None,
            )
        )
    return cas


def write_xmi(documents: Iterable[Document], path: Path, _remarks: Remarks) -> None:
    """Write an `.xmi` file for each note, and `TypeSystem.xml`, without which no program can read them."""
    write_text(path / "TypeSystem.xml", _types().to_xml())
    for document in documents:
        xml.check(document.text, document.name)
        for span in document.spans:
            xml.check(span.label + span.source, document.name)
        write_text(file_for(path, document.id, ".xmi"), _cas(document, "uima-xmi").to_xmi())


def write_json(documents: Iterable[Document], path: Path, _remarks: Remarks) -> None:
    """Write a `.json` file for each note, with the type system in it."""
    for document in documents:
        write_text(file_for(path, document.id, ".json"), _cas(document, "uima-json").to_json(pretty_print=True))


def sniff_xmi(sample: Sample) -> str:
    if "http://www.omg.org/XMI" in sample.head:
        return "the XML namespace of XMI"
    return "files that end in .xmi" if sample.count(".xmi") else ""


def sniff_json(sample: Sample) -> str:
    marks = [mark for mark in ('"%TYPES"', '"%FEATURE_STRUCTURES"') if mark in sample.head]
    return f"the JSON key {marks[0]}" if marks else ""


_HOLDS = Holds(language=True, score=True, source=True)

FORMATS = (
    Format(
        "uima-xmi",
        "UIMA CAS XMI (INCEpTION, WebAnno)",
        ".xmi",
        True,
        _HOLDS,
        read_xmi,
        write_xmi,
        sniff_xmi,
        "uima",
        reads=(".xml",),
    ),
    Format("uima-json", "UIMA CAS JSON (INCEpTION)", ".json", True, _HOLDS, read_json, write_json, sniff_json, "uima"),
)

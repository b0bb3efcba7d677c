"""The references as RIS, which EndNote, Mendeley, Zotero and library catalogues read."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.present.references import Name, Reference, references
from coi_tui.present.snapshot import SessionSnapshot

_TYPES = {"article": "JOUR", "inproceedings": "CPAPER"}


def ris(snapshot: SessionSnapshot) -> str:
    """One record a paper, in order of date; ``ID`` is the key of the BibTeX file. A file without
    papers has no record."""
    return "\n".join(
        "".join(f"{tag}  - {value}\n" for tag, value in _fields(ref)) + "ER  - \n"
        for ref in references(snapshot)
    )


def _fields(ref: Reference) -> Iterator[tuple[str, str]]:
    """Tags with values, the type first; what is not known is left out. Every value is on one
    line."""
    fields = [("TY", _TYPES.get(ref.kind, "GEN")), ("ID", ref.key), ("TI", ref.title)]
    fields += [("AU", _name(name)) for name in ref.authors]
    fields += (
        [("PY", str(ref.date[0])), ("DA", "/".join(f"{n:02}" for n in ref.date))]
        if ref.date
        else []
    )
    fields += [
        ({"article": "JO", "inproceedings": "T2"}.get(ref.kind, "PB"), ref.venue),
        ("DO", ref.doi),
    ]
    fields += [("AN", f"arXiv:{ref.arxiv}")] if ref.arxiv else []
    yield from ((tag, value) for tag, value in [*fields, ("UR", ref.url)] if value)


def _name(name: Name) -> str:
    """``Berg, Maarten van der``: family name, given names with what stands before the family name,
    suffix."""
    given = " ".join(filter(None, (name.given, name.particle)))
    return ", ".join(filter(None, (name.family, given, name.suffix)))

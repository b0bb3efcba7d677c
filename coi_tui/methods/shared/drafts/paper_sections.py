"""The parts of a paper's text: summary, lists, sections."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from coi_tui.methods.shared.drafts.text_tools import cleaned, distinct
from coi_tui.model.text import clean_line

_LABELS = ("SUMMARY", "ABSTRACT", "LIMITATIONS", "DATASETS", "BASELINES", "ENTITIES")
_HEADING = re.compile(
    r"^\s*(?:#+\s*)?(?:(?:\d+|[IVX]+)(?:\.\d+)*\.?\s+)?(abstract|introduction|related work|background|method(?:s|ology)?|approach|"
    r"experiments?|experimental (?:setup|settings?|results)|evaluation|results?(?: and discussion)?|discussion|"
    r"limitations?(?: and future work)?|conclusions?(?: and future work)?|future work|references|bibliography|acknowledge?ments?|"
    r"appendix.*)\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)


@dataclass(frozen=True)
class PaperSections:
    """A text by parts. ``main`` is what sentences are taken from; the lists are there only where
    the text has them."""

    main: str
    limitations: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()
    sections: dict[str, str] = field(default_factory=dict)


def split_sections(text: str) -> PaperSections:
    """The parts of a starter summary (labelled lists), of a paper with headings, or of any text as
    it is. Never raises."""
    text = cleaned(text)
    labelled = _labelled(text)
    if labelled:
        return PaperSections(
            main=labelled.get("SUMMARY") or labelled.get("ABSTRACT") or labelled.get("", ""),
            limitations=_items(labelled.get("LIMITATIONS", "")),
            datasets=_items(labelled.get("DATASETS", "")),
            baselines=_items(labelled.get("BASELINES", "")),
            entities=tuple(_entity(item) for item in _items(labelled.get("ENTITIES", ""))),
        )
    sections = _sections(_unmarked(text))
    body = {
        name: part
        for name, part in sections.items()
        if not name.startswith(("reference", "bibliograph", "acknowledg", "appendix"))
    }
    return PaperSections(main="\n\n".join(body.values()), sections=body)


def _labelled(text: str) -> dict[str, str]:
    """The labelled parts of a starter text, or nothing where no line is a label."""
    found: dict[str, list[str]] = {"": []}
    current = ""
    for line in text.split("\n"):
        name = line.strip().rstrip(":")
        if name in _LABELS:
            current = name
            found.setdefault(current, [])
        else:
            found[current].append(line)
    return (
        {name: "\n".join(lines).strip() for name, lines in found.items()} if len(found) > 1 else {}
    )


def _items(text: str) -> tuple[str, ...]:
    return tuple(
        distinct(clean_line(re.sub(r"^\s*[-*•]\s*", "", line)) for line in text.split("\n"))
    )


def _entity(item: str) -> tuple[str, str]:
    name, _, description = item.partition(":")
    return (name.strip() or item, description.strip())


def _sections(text: str) -> dict[str, str]:
    """The text by its headings in lower case; what comes before the first one is under the empty
    name."""
    found: dict[str, str] = {}
    last, name = 0, ""
    for heading in _HEADING.finditer(text):
        found[name] = f"{found.get(name, '')}\n\n{text[last : heading.start()]}".strip()
        name, last = heading.group(1).casefold(), heading.end()
    found[name] = f"{found.get(name, '')}\n\n{text[last:]}".strip()
    return found


def _unmarked(text: str) -> str:
    """The text without Markdown links and emphasis, which would interrupt sentences."""
    return re.sub(
        r"\*\*|(?<!\w)\*(?=\w)|(?<=\w)\*(?!\w)",
        "",
        re.sub(r"\[([^\[\]\n]{0,300})\]\([^()\n]{0,300}\)", r"\1", text),
    )

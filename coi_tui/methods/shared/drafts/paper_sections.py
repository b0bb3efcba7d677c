"""The parts of a paper's text: summary, lists, sections, reference list."""

from __future__ import annotations

import re
from dataclasses import dataclass, field

from coi_tui.methods.shared.drafts.text_tools import cleaned, distinct, one_line, share, words

_LABELS = ("SUMMARY", "ABSTRACT", "LIMITATIONS", "DATASETS", "BASELINES", "ENTITIES")
_HEADING = re.compile(
    r"^\s*(?:#+\s*)?(?:(?:\d+|[IVX]+)(?:\.\d+)*\.?\s+)?(abstract|introduction|related work|background|method(?:s|ology)?|approach|"
    r"experiments?|experimental (?:setup|settings?|results)|evaluation|results?(?: and discussion)?|discussion|"
    r"limitations?(?: and future work)?|conclusions?(?: and future work)?|future work|references|bibliography|acknowledge?ments?|"
    r"appendix.*)\s*:?\s*$",
    re.IGNORECASE | re.MULTILINE,
)
_YEAR = re.compile(r"\b(?:19[5-9]\d|20[0-4]\d)[a-z]?\b")
_NOT_TITLE = re.compile(
    r"\b(arxiv|proceedings|in proc|conference|journal|transactions|preprint|advances in|press|pages|pp|vol|url|https?|association for|"
    r"workshop|corr|doi)\b",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class PaperSections:
    """A text by parts. ``main`` is what sentences are taken from; the lists are there only where the text has them."""

    main: str
    limitations: tuple[str, ...] = ()
    datasets: tuple[str, ...] = ()
    baselines: tuple[str, ...] = ()
    entities: tuple[tuple[str, str], ...] = ()
    sections: dict[str, str] = field(default_factory=dict)
    references: tuple[str, ...] = ()


def split_sections(text: str) -> PaperSections:
    """The parts of a starter summary (labelled lists), of a paper with headings, or of any text as it is. Never raises."""
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
    references = next(
        (part for name, part in sections.items() if name.startswith(("reference", "bibliograph"))),
        "",
    )
    return PaperSections(
        main="\n\n".join(body.values()), sections=body, references=tuple(_entries(references))
    )


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
    return tuple(distinct(one_line(re.sub(r"^\s*[-*•]\s*", "", line)) for line in text.split("\n")))


def _entity(item: str) -> tuple[str, str]:
    name, _, description = item.partition(":")
    return (name.strip() or item, description.strip())


def _sections(text: str) -> dict[str, str]:
    """The text by its headings in lower case; what comes before the first one is under the empty name."""
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


_ENTRY_STARTS = (
    r"(?m)^\s*\[\d+\]\s*",
    r"(?m)^\s*[-*•]\s+",
    r"(?m)^\s*\d{1,3}\.\s+(?=[A-Z])",
    r"\n\s*\n",
    r"(?<=\.)\n(?=[A-Z][^\n]{0,60},)",
)
"""How entries begin: [1], a bullet, ``1.``, a blank line, or a line after a full stop."""


def _entries(text: str) -> list[str]:
    """The entries of a reference list, each on one line; the list ends at the next Markdown heading."""
    listing = re.split(r"(?m)^#{1,5}\s", text)[0]
    start = next(
        (mark for mark in _ENTRY_STARTS if len(re.findall(mark, listing[:3000])) > 1),
        _ENTRY_STARTS[-1],
    )
    return [entry for entry in map(one_line, re.split(start, listing)) if 20 < len(entry) < 600]


def reference_titles(source: PaperSections, topic: str, own_title: str, most: int = 3) -> list[str]:
    """COI-3: the titles of the text's own reference list nearest to the topic, on a tie the newer, never the paper's own."""
    found: list[tuple[float, int, str]] = []
    for entry in source.references:
        title = reference_title(entry)
        if title and title.casefold() != own_title.casefold():
            years = [int(year[:4]) for year in _YEAR.findall(entry)]
            found.append((share(topic, title), max(years, default=0), title))
    near = sorted(
        (item for item in found if item[0] > 0),
        key=lambda item: (-round(item[0], 2), -item[1], item[2]),
    )
    return distinct(title for _, _, title in near)[:most]


def reference_title(entry: str) -> str:
    """The title inside a reference entry, or nothing where none can be told apart with some certainty."""
    if found := re.search(r"[\"“]([^\"”]{12,200})[\"”]", entry):
        return found.group(1).rstrip(" ,.")
    dated = re.search(r"\(?\b(?:19|20)\d\d[a-z]?\)?[.,]\s+(.{12,}?)[.?](?:\s|$)", entry)
    if dated and _title_like(dated.group(1)):
        return dated.group(1)
    segments = [segment.strip() for segment in re.split(r"(?<![A-Z])[.?]\s+", entry)]
    title = next((s for s in segments[1:] if _title_like(s)), "")
    return re.sub(r",\s*(?:19|20)\d\d[a-z]?\.?$", "", title)


def _title_like(segment: str) -> bool:
    tokens = words(segment)
    authors = len(re.findall(r"\b[A-Z]\.", segment)) + segment.count(",")
    return 3 <= len(tokens) <= 30 and authors < len(tokens) / 3 and not _NOT_TITLE.search(segment)

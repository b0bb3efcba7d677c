"""Papers that the texts name, by title, by authors and year or by an identifier.

Those of the session go into the references; the others are listed as unverified.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence

from coi_tui.export.bibliography import TitleIndex, normalise
from coi_tui.export.snapshot import ExportContext
from coi_tui.literature.citations import Citation, CitedPapers, citations_in, unknown_citations
from coi_tui.model.address import QUESTION, parse_address
from coi_tui.model.content import Content, ExperimentPlan, IdeaContent, Note
from coi_tui.model.document import passages
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean_line

_CURLY = re.compile(r"“([^“”]{8,300})”")
_STRAIGHT = re.compile(r'"([^"]{8,300})"(?P<year> \((?:19|20)\d\d\))?')

_IDEA = ("motivation", "novelty", "contributions", "method", "origin", "difference", "challenges", "final")
_PLAN = ("design", "baselines", "ablation", "metrics", "implementation", "feasibility")


def named(context: ExportContext) -> dict[str, list[str]]:
    """Titles named in the texts shown, with the addresses where each stands."""
    out: dict[str, list[str]] = {}
    quiet = frozenset(_own_words(context))
    for address, text in _texts(context):
        for title in named_in(text, context.bibliography.titles, quiet):
            _add(out, title, address)
    for branch in context.snapshot.shown if context.has("experiment") else ():
        plan = context.state.read(f"{branch}/exp", ExperimentPlan)
        for title in plan.references if plan else ():
            _add(out, title.strip(), f"{branch}/exp")
    return out


def _add(out: dict[str, list[str]], title: str, address: str) -> None:
    same = next((known for known in out if normalise(known) == normalise(title)), title)
    places = out.setdefault(same, [])
    if address not in places:
        places.append(address)


def _texts(context: ExportContext) -> Iterator[tuple[str, str]]:
    """Every text that the proposal shows, with the address where it stands."""
    shown = context.snapshot.shown
    for branch in shown:
        for section in context.method_sections(branch) if context.has("chain") else ():
            yield from ((passage.address, passage.text) for passage in passages(section))
        if context.has("idea"):
            yield from _fields(context, f"{branch}/idea", IdeaContent, _IDEA)
        if context.has("experiment"):
            yield from _fields(context, f"{branch}/exp", ExperimentPlan, _PLAN)
    for branch in context.state.branches if context.has("ideas") else ():
        if branch not in shown:
            yield from _fields(context, f"{branch}/idea", IdeaContent, ("final",))


def _fields(context: ExportContext, address: str, model: type[Content], names: tuple[str, ...]) -> Iterator[tuple[str, str]]:
    """The texts of some fields of a cell with its address; a list gives one text an item."""
    content = context.state.read(address, model)
    for name in names if content else ():
        value = getattr(content, name)
        yield from ((address, text) for text in (value if isinstance(value, list) else [value]) if text)


def _own_words(context: ExportContext) -> Iterator[str]:
    """Texts of the session that may be quoted without naming a paper: topic, questions, titles of its own ideas."""
    for address, version in context.snapshot.in_use().items():
        if address == "topic" or parse_address(address).part == QUESTION:
            yield normalise(context.state.content(version, Note).text)
        elif address.endswith("/idea"):
            yield normalise(context.state.content(version, IdeaContent).title)


def cited(context: ExportContext) -> dict[Citation, list[str]]:
    """Citations by authors and year, or by an identifier, in the texts shown, with the addresses where each stands."""
    out: dict[Citation, list[str]] = {}
    for address, text in _texts(context):
        for citation in citations_in(text):
            places = out.setdefault(citation, [])
            if address not in places:
                places.append(address)
    return out


def unverified_citations(context: ExportContext) -> dict[str, list[str]]:
    """Citations that mean no paper of the session, as they stand, with their addresses."""
    return {citation.text: where for citation, where in cited(context).items() if context.bibliography.cited.find(citation) is None}


def unverified_in(texts: Iterable[str], papers: Mapping[str, Paper], known: frozenset[str] = frozenset()) -> list[str]:
    """What some texts name and no paper of these is: titles in quotation marks, and citations as they stand."""
    said = list(texts)
    titles = _unknown_titles([text for text in said if "“" in text or '"' in text], papers, known)
    citations = [text for text in said if citations_in(text)]
    unknown = unknown_citations(citations, CitedPapers(papers)) if citations else []
    return list(dict.fromkeys([*titles, *(citation.text for citation in unknown)]))


def _unknown_titles(texts: Sequence[str], papers: Mapping[str, Paper], known: frozenset[str]) -> list[str]:
    """Titles in quotation marks that no paper has. The index of all titles is made only for a text that quotes something."""
    if not texts:
        return []
    index = TitleIndex(papers)
    return [f"“{title}”" for text in texts for title in named_in(text, index, known) if index.find(title) is None]


def unverified(context: ExportContext) -> dict[str, list[str]]:
    """Titles that match no paper of the session, with the addresses where they stand."""
    return {title: where for title, where in named(context).items() if context.bibliography.titles.find(title) is None}


def cite_named(context: ExportContext) -> None:
    """Gives a number to every paper of the session that a text names, so that it stands in the references."""
    for title in named(context):
        if found := context.bibliography.titles.find(title):
            context.bibliography.number(found)
    for citation in cited(context):
        if found := context.bibliography.cited.find(citation):
            context.bibliography.number(found)


def named_in(text: object, index: TitleIndex, known: frozenset[str] = frozenset()) -> list[str]:
    """Titles that a text names, in the order met.

    “Curly” quotations of three words and more; "straight" ones when a year follows, when a paper of the session has the title, or when
    they are written like a title. ``known`` are normalised texts that are quoted but name no paper: the topic, the questions.
    """
    said = index.without_inner_quotes(clean_line(text))
    straight = _CURLY.sub(lambda m: " " * len(m[0]), said)  # a straight mark inside curly ones opens nothing
    quoted = sorted([*_CURLY.finditer(said), *_STRAIGHT.finditer(straight)], key=lambda m: m.start())
    names = dict.fromkeys(_trimmed(m[1]) for m in quoted if _means_a_paper(m, index))
    return [name for name in names if normalise(name) not in known]


def _means_a_paper(quoted: re.Match[str], index: TitleIndex) -> bool:
    if quoted[0].startswith("“"):
        return len(quoted[1].split()) > 2 or index.find(quoted[1]) is not None
    return bool(quoted["year"]) or index.find(quoted[1]) is not None or _like_a_title(quoted[1])


def _trimmed(title: str) -> str:
    """Without the punctuation of the sentence around it; the dots of a cut stay."""
    said = title.strip(" ,;")
    return said if said.endswith(("...", "…")) else said.rstrip(" .,;")


def _like_a_title(text: str) -> bool:
    """Four words or more, nearly every long one with a capital, and no sentence."""
    long = [w for w in re.findall(r"[^\W\d_]+", text) if len(w) > 3]
    return (
        len(text.split()) > 3 and len(long) > 2 and sum(w[0].isupper() for w in long) >= 0.8 * len(long) and not text.rstrip().endswith(".")
    )

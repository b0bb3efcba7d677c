"""Papers that the texts name, by title, by authors and year or by an identifier.

Those of the session go into the references; the others are listed as unverified.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence

from coi_tui.export.bibliography import TitleIndex, normalise
from coi_tui.export.quoted_titles import named_in
from coi_tui.export.snapshot import ExportContext
from coi_tui.literature.citations import Citation, CitedPapers, citations_in, unknown_citations
from coi_tui.model.content import Content, ExperimentPlan, IdeaContent
from coi_tui.model.document import passages
from coi_tui.model.papers import Paper

_IDEA = ("summary", "problem", "mechanism", "evaluation", "setting", "origin", "final")
_PLAN = ("claims", "decisive", "rival", "design", "baselines", "metrics", "effort")


def named(context: ExportContext) -> dict[str, list[str]]:
    """Titles named in the texts shown, with the addresses where each stands."""
    out: dict[str, list[str]] = {}
    for address, text in texts_shown(context):
        for title in named_in(text, context.bibliography.titles, context.own_words):
            _add(out, title, address)
    for branch in context.snapshot.shown:
        idea, plan = (
            context.state.read(f"{branch}/idea", IdeaContent),
            context.state.read(f"{branch}/exp", ExperimentPlan),
        )
        listed = [(title, "idea") for title in (idea.works if idea else ())] + [
            (title, "exp") for title in (plan.references if plan else ())
        ]
        for title, part in listed:
            _add(out, title.strip(), f"{branch}/{part}")
    return out


def _add(out: dict[str, list[str]], title: str, address: str) -> None:
    same = next((known for known in out if normalise(known) == normalise(title)), title)
    places = out.setdefault(same, [])
    if address not in places:
        places.append(address)


def texts_shown(context: ExportContext) -> Iterator[tuple[str, str]]:
    """Every text that the proposal shows, with the address where it stands."""
    shown = context.snapshot.shown
    for branch in shown:
        for section in context.method_sections(branch) if context.has("chain") else ():
            yield from ((passage.address, passage.text) for passage in passages(section))
        yield from _fields(context, f"{branch}/idea", IdeaContent, _IDEA)
        yield from _fields(context, f"{branch}/exp", ExperimentPlan, _PLAN)
    for branch in context.state.branches if context.has("ideas") else ():
        if branch not in shown:
            yield from _fields(context, f"{branch}/idea", IdeaContent, ("final",))


def _fields(
    context: ExportContext, address: str, model: type[Content], names: tuple[str, ...]
) -> Iterator[tuple[str, str]]:
    """The texts of some fields of a cell with its address; a list gives one text an item."""
    content = context.state.read(address, model)
    for name in names if content else ():
        value = getattr(content, name)
        yield from (
            (address, str(text)) for text in (value if isinstance(value, list) else [value]) if text
        )


def cited(context: ExportContext) -> dict[Citation, list[str]]:
    """Citations by authors and year, or by an identifier, in the texts shown, with the addresses
    where each stands."""
    out: dict[Citation, list[str]] = {}
    for address, text in texts_shown(context):
        for citation in citations_in(text):
            places = out.setdefault(citation, [])
            if address not in places:
                places.append(address)
    return out


def unverified_citations(context: ExportContext) -> dict[str, list[str]]:
    """Citations that mean no paper of the session, as they stand, with their addresses."""
    return {
        citation.text: where
        for citation, where in cited(context).items()
        if context.bibliography.cited.find(citation) is None
    }


def unverified_in(
    texts: Iterable[str], papers: Mapping[str, Paper], known: frozenset[str] = frozenset()
) -> list[str]:
    """What some texts name and no paper of these is: titles in quotation marks, and citations as
    they stand."""
    said = list(texts)
    titles = _unknown_titles([text for text in said if "“" in text or '"' in text], papers, known)
    citations = [text for text in said if citations_in(text)]
    unknown = unknown_citations(citations, CitedPapers(papers)) if citations else []
    return list(dict.fromkeys([*titles, *(citation.text for citation in unknown)]))


def _unknown_titles(
    texts: Sequence[str], papers: Mapping[str, Paper], known: frozenset[str]
) -> list[str]:
    """Titles in quotation marks that no paper has. The index of all titles is made only for a text
    that quotes something."""
    if not texts:
        return []
    index = TitleIndex(papers)
    return [
        f"“{title}”"
        for text in texts
        for title in named_in(text, index, known)
        if index.find(title) is None
    ]


def unverified(context: ExportContext) -> dict[str, list[str]]:
    """Titles that match no paper of the session, with the addresses where they stand."""
    return {
        title: where
        for title, where in named(context).items()
        if context.bibliography.titles.find(title) is None
    }


def cite_named(context: ExportContext) -> None:
    """Gives a number to every paper of the session that a text names, so that it stands in the
    references."""
    for title in named(context):
        if found := context.bibliography.titles.find(title):
            context.bibliography.number(found)
    for citation in cited(context):
        if found := context.bibliography.cited.find(citation):
            context.bibliography.number(found)

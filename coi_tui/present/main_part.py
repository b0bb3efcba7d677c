"""The main part of a proposal: a line on how it was made and what is open, then the text for any
reader."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import chain, repeat

from coi_tui.literature.citations import citations_in
from coi_tui.model.address import instance_of
from coi_tui.model.content import ExperimentPlan, IdeaContent, ProposalContent
from coi_tui.model.document import Manuscript, Paragraph, Passage, Section
from coi_tui.model.proposals import assembled, sections
from coi_tui.model.text import day
from coi_tui.present.provenance import ORIGINS, RECORDED, drafted, recorded
from coi_tui.present.sections import AppendixPart, title_of
from coi_tui.present.snapshot import NOT_MADE, ExportContext, SessionSnapshot
from coi_tui.present.titles import named_in
from coi_tui.present.warnings import warnings_of

IN_SHORT = "In short"

Places = Mapping[str, str]
"""Where the parts of the appendix stand, by their keys: ``{"novelty": "A.5"}``."""


def places_of(context: ExportContext, parts: Sequence[AppendixPart]) -> Places:
    """The place of each part by its key; of those about an idea the place of the one that the
    proposal is about."""
    return {part.key: part.place for part in parts if part.branch in (0, context.snapshot.branch)}


# -- how it was made and what is open

_PLACED = {
    "Novelty INCONCLUSIVE": "novelty",
    "Close match": "novelty",
    "Novelty of another version": "novelty",
    "Not addressed": "review",
    "Unverified title": "works",
    "Unverified citation": "works",
}
"""The part of the appendix that has more on a kind of warning than the list of warnings."""


def opening(context: ExportContext, places: Places) -> str:
    """The line under the title, unescaped."""
    snapshot = context.snapshot
    whose = _worksheet(snapshot)
    own = (
        snapshot.methods.of_instance(instance_of(snapshot.branch))
        if snapshot.branch is not None
        else None
    )
    made = f"Exported {day(snapshot.exported_at)} from the session “{snapshot.name}”, made with {own.name if own else snapshot.method}"
    said = [
        whose,
        f"{made}{'' if whose else _written(snapshot)}{_at(places, 'provenance')}{_which(snapshot)}.",
    ]
    counts = Counter(warning.kind for warning in warnings_of(context))
    found = (
        f"{kind[0].lower()}{kind[1:]}{f' {n}' if n > 1 else ''}{_at(places, _PLACED.get(kind, 'warnings'))}"
        for kind, n in counts.items()
    )
    said.append(
        f"Open: {'; '.join(found)}."
        if counts
        else "Nothing is open: every part is complete, up to date and decided."
    )
    hint = f"Appendix: coi export {snapshot.name} --appendix."
    return " ".join(filter(None, [*said, "" if context.options.appendix else hint]))


def _at(places: Places, key: str) -> str:
    return f" ({places[key]})" if key in places else ""


def _written(snapshot: SessionSnapshot) -> str:
    """By whom its idea and its plan were written."""
    found = (
        snapshot.state.in_use(f"{snapshot.branch}/{part}")
        for part in ("idea", "exp")
        if snapshot.branch is not None
    )
    return "".join(
        f", {said}"
        for said in dict.fromkeys(
            ORIGINS[version.origin] for version in found if version is not None
        )
    )


def _which(snapshot: SessionSnapshot) -> str:
    """Which idea the proposal is about, and why that one."""
    branch, state = snapshot.branch, snapshot.state
    if branch is None:
        return ""
    if state.pick == branch:
        why = "picked by the researcher"
    elif snapshot.matches and snapshot.standings and snapshot.standings[0].player == branch:
        why = "the leader of the matches"
    elif [b for b in state.branches if state.in_use(f"{b}/idea") is not None] == [branch]:
        why = "the only idea"
    elif state.in_use(f"{branch}/exp") is not None:
        why = "the one that has an experiment plan"
    else:
        why = "the first; the ideas have not been compared"
    return f": idea {branch}, {why}"


def _worksheet(snapshot: SessionSnapshot) -> str:
    """What of it the built-in drafter wrote, or that it was recorded; empty for a text that a model
    wrote."""
    if recorded(snapshot):
        return RECORDED
    if not drafted(snapshot):
        return ""
    mixed = any(v.origin in ("model", "scripted") for v in snapshot.in_use.values())
    which = "some of the texts" if mixed else "every generated text"
    said = "The built-in drafter quotes the papers' cards by rule and leaves places to write over; this is no considered proposal."
    return f"Worksheet, drafted without a language model: {which}. {said}"


# -- the texts


def manuscript_of(context: ExportContext) -> Manuscript | None:
    """The method's own manuscript about the chosen idea, where no proposal was written."""
    chosen = context.snapshot.branch
    if chosen is None or context.state.in_use(f"{chosen}/proposal") is not None:
        return None
    return next(
        (found for found in context.snapshot.document.manuscripts if found.branch == chosen), None
    )


def title_of_proposal(context: ExportContext) -> str:
    """The title of the proposal or the idea, else what the session is about; not escaped."""
    snapshot, own = context.snapshot, manuscript_of(context)
    if own is not None:
        return own.title
    held = (
        snapshot.state.read(f"{snapshot.branch}/proposal", ProposalContent)
        if snapshot.branch is not None
        else None
    )
    if held is not None and held.title:
        return held.title
    if snapshot.branch is not None and snapshot.state.in_use(f"{snapshot.branch}/idea") is not None:
        return title_of(context, snapshot.branch)
    return str(snapshot.state.value("topic#text") or snapshot.name or "Untitled session")


def main_part(context: ExportContext) -> list[Section]:
    """The sections between title and references: the proposal, else the method's manuscript, else
    idea and plan as they are."""
    branch, state = context.snapshot.branch, context.state
    idea = state.in_use(f"{branch}/idea") if branch is not None else None
    written = state.in_use(f"{branch}/proposal") if branch is not None else None
    if branch is None or (idea is None and written is None):
        where = (
            " What there is of each branch is in the appendix."
            if branch is None and state.branches
            else ""
        )
        return [
            Section(
                "The idea",
                (
                    Paragraph(
                        f"{NOT_MADE} No idea has been chosen.{where}"
                        if branch is None
                        else NOT_MADE
                    ),
                ),
            )
        ]
    if written is not None:
        held = state.content(written, ProposalContent)
        labels = tuple((f"[P{n}]", paper) for n, paper in enumerate(held.papers, start=1))
        return _sections(
            context, sections(held.text), Passage(written.address, "", written.origin, labels)
        )
    if (own := manuscript_of(context)) is not None:
        head = [Section(IN_SHORT, (own.abstract,))] if own.abstract is not None else []
        return [*head, *own.sections]
    parts = assembled(
        state.read(f"{branch}/idea", IdeaContent) or IdeaContent(),
        state.read(f"{branch}/exp", ExperimentPlan),
    )
    return _sections(
        context, parts, Passage(f"{branch}/idea", "", idea.origin if idea is not None else "model")
    )


def _sections(
    context: ExportContext, parts: Iterable[tuple[str, str]], like: Passage
) -> list[Section]:
    """Texts under their headings; only the first says that a person wrote it."""
    found = zip(parts, chain((like.origin,), repeat("model")), strict=False)
    return [
        Section(title or "The idea", (_cited(context, replace(like, text=text, origin=origin)),))
        for (title, text), origin in found
    ]


def _cited(context: ExportContext, passage: Passage) -> Passage:
    """A text with a mark after the first mention of each paper of the session: by its title, or by
    authors and year."""
    said, papers, bibliography = passage.text, context.state.papers, context.bibliography
    named = [
        (title, bibliography.titles.find(title))
        for title in named_in(said, bibliography.titles, context.own_words)
    ]
    named += [(citation.text, bibliography.cited.find(citation)) for citation in citations_in(said)]
    named += [
        (paper.title, key)
        for key, paper in papers.items()
        if paper.title in said and len(paper.title.split()) > 2
    ]
    places = {
        (found.start(), -found.end()): paper
        for name, paper in named
        if paper is not None
        for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])[”\"'’]*", said)
    }
    marked, ends = (
        {bibliography.same(paper) for _, paper in passage.cited if paper in papers},
        [(0, "")],
    )
    for (start, end), paper in sorted(places.items()):
        if bibliography.same(paper) not in marked and start >= ends[-1][0]:
            marked.add(bibliography.same(paper))
            ends.append((-end, paper))
    for end, paper in reversed(ends[1:]):
        said = f"{said[:end]} [{paper}]{said[end:]}"
    return replace(
        passage,
        text=said,
        cited=(*passage.cited, *((f"[{paper}]", paper) for _, paper in ends[1:])),
    )

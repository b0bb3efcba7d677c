"""What leaves this machine when a plan is run or a paper is looked up, and who gets it: said before
anything is asked."""

from __future__ import annotations

import re
from collections.abc import Sequence

from coi_tui.config import Keys, Settings
from coi_tui.methods.shared.reads import MOST_REJECTED
from coi_tui.model.address import parse_address, slot_of
from coi_tui.model.criteria import REF
from coi_tui.model.state import State
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.imported import count_held, own_pdf_held
from coi_tui.session.papers.lookup import asked_of_arxiv
from coi_tui.session.papers.source_order import sent
from coi_tui.session.runs.plans import PlanLine
from coi_tui.session.runs.service_setup import Service, ServiceSetup, services_of, setup_of

SHOWN = 4


def sends(core: SessionCore, setup: ServiceSetup, lines: Sequence[PlanLine]) -> tuple[str, ...]:
    """One entry a service, then what goes and what does not; never empty."""
    out = []
    if setup.online_model:
        out.append(
            "to the language model: topic, titles, abstracts or texts of papers, cards, trends, directions, ideas, plans"
        )
        if own := own_pdfs(core, lines):
            out.append(own)
        out.append(
            "your hunch; your notes stay here"
            if core.state.settings.get("send_hunch")
            else "your notes and your hunch stay here"
        )
        out += criteria_and_reasons(core.state)
        if means := your_means(core.state, lines):
            out.append(means)
        if any(
            line.address and core.state.cell(line.address).wishes for line in lines if not line.off
        ):
            out.append("what you asked for, in your words")
    out += sent(setup)
    if setup.online_source and _asks_for_people(core, lines):
        out.append("to the same: ids of the authors of your papers")
    return tuple(out) or ("nothing leaves this machine",)


def _asks_for_people(core: SessionCore, lines: Sequence[PlanLine]) -> bool:
    """Whether a line that is on asks who is behind the session's papers."""
    asking = [kind for kind in core.methods.every_kind() if kind.role == "people"]
    stages = {kind.stage for kind in asking}
    return any(
        core.methods.kind(line.address) in asking if line.address else line.stage in stages
        for line in lines
        if not line.off
    )


def your_means(state: State, lines: Sequence[PlanLine]) -> str:
    """Whether a plan would send the person's means; empty where it writes no experiment plan."""
    writes = any(
        not line.off and (_part(line) == "exp" or line.stage == "experiment") for line in lines
    )
    return "your means as you wrote them" if writes and state.value("means#text") else ""


def own_pdfs(core: SessionCore, lines: Sequence[PlanLine]) -> str:
    """Which of the researcher's own PDFs a plan would send the text of; empty where it reads
    none."""
    on = [line for line in lines if not line.off]
    if _reads_papers_to_come(core, on):
        state = core.state
        here = len({s.paper for s in state.slots.values() if s.paper in state.attached})
        return _of_papers_to_come(here, count_held(core.paths))
    named = sorted({_pdf_at(core, line.address) for line in on if _part(line) == "card"} - {""})
    if not named:
        return ""
    shown = ", ".join(named[:SHOWN]) + (
        f" and {len(named) - SHOWN} more" if len(named) > SHOWN else ""
    )
    return f"the text of your PDF {shown}, only in the prompt that reads it"


def _reads_papers_to_come(core: SessionCore, lines: Sequence[PlanLine]) -> bool:
    """Whether papers are read that are not chosen yet: by a whole stage, or by a verdict, which
    reads its candidate ahead."""
    reading = {
        kind.stage for kind in core.methods.every_kind() if kind.role in ("summary", "verdicts")
    }
    return any(_part(line) == "rel" if line.address else line.stage in reading for line in lines)


def _part(line: PlanLine) -> str:
    return parse_address(line.address).part if line.address else ""


def _of_papers_to_come(here: int, held: int) -> str:
    parts = [f"{here} attached here" if here else "", f"{held} in your library" if held else ""]
    said = ", ".join(p for p in parts if p)
    return (
        f"the text of your own PDFs ({said}), each only in the prompt that reads it" if said else ""
    )


def _pdf_at(core: SessionCore, address: str) -> str:
    """The name of the researcher's own PDF of the paper at a card; empty where there is none."""
    state = core.state
    paper = state.papers.get(state.slot(slot_of(address)).paper or "")
    if paper is None:
        return ""
    attached = state.attached.get(paper.id)
    if attached is not None:
        return str(attached["file"])
    return (own_pdf_held(core.paths, paper) or ("",))[0]


def criteria_and_reasons(state: State) -> list[str]:
    """One line for the plan where verdicts on papers will be told of criteria or of reasons for
    rejecting; else none."""
    reasons = len(state.turned_down()[-MOST_REJECTED:])
    parts = ["your criteria"] if state.meaning(REF) is not None else []
    if reasons:
        parts.append(
            "your reason for rejecting a paper"
            if reasons == 1
            else f"your {reasons} reasons for rejecting papers"
        )
    return [f"with verdicts on papers: {' and '.join(parts)}"] if parts else []


BEFORE = "What a look-up sends, and to whom, stands here as you write."
HERE = "looked up only on this machine; nothing leaves it."
_NAMES = {
    "arXiv": "arXiv id",
    "DOI": "DOI",
    "S2": "Semantic Scholar id",
    "OpenAlex": "OpenAlex id",
    "ACL": "ACL id",
    "PMID": "PMID",
}
_ADDRESS = re.compile(r"(?:https?://|www\.)", re.IGNORECASE)


def lookup_disclosure(settings: Settings, keys: Keys, offline: bool, text: str) -> str:
    """One sentence for an id, a URL or a title as it stands. Pure: it asks nobody, nor does it look
    whether the paper is known here."""
    from coi_tui.literature.ids import normalise_id

    setup = setup_of(settings, keys, offline)
    said = " ".join(text.split())
    if not setup.online_source:
        return f"{_why_here(setup)}: {HERE}"
    if not said:
        return BEFORE
    services = services_of(settings, keys)
    pair = normalise_id(said)
    if pair is None:
        note = (
            "This address names no paper by its id, so it is taken as a title. "
            if _ADDRESS.match(said)
            else ""
        )
        return f"{note}If the title is not known here, it is sent to {services[0].name}{_then(services)}."
    return _of_id(settings, keys, services, pair)


def _why_here(setup: ServiceSetup) -> str:
    return "Offline" if setup.why == "offline was asked for" else "No online source is set up"


def _then(services: Sequence[Service]) -> str:
    """Who is asked after the first source, where sources have an order."""
    return "".join(
        f"; where it is unreachable or has nothing, {service.name} too" for service in services[1:]
    )


def _of_id(
    settings: Settings, keys: Keys, services: Sequence[Service], pair: tuple[str, str]
) -> str:
    name = _NAMES.get(pair[0], pair[0])
    asked = [service for service in services if service.knows_ids_of(pair)]
    first = f"{asked[0].name} gets the {name}{_then(asked)}" if asked else ""
    second = "arXiv gets it" if asked_of_arxiv(settings, keys, pair) else ""
    if not first and not second:
        return f"{services[0].name} has no place for a {name}: {HERE}"
    if first and second:
        return f"If unknown here, {first}; if unknown there too, {second}."
    return f"If unknown here, {first or second}."


def pdfs_disclosure(settings: Settings, keys: Keys, offline: bool) -> str:
    """What adding PDFs sends, and to whom."""
    if not setup_of(settings, keys, offline).online_source:
        return f"DOIs and arXiv ids in the PDFs are {HERE}"
    services = services_of(settings, keys)
    further = "arXiv gets the arXiv ids" if asked_of_arxiv(settings, keys, ("arXiv", "")) else ""
    return (
        f"{services[0].name} gets the DOIs and arXiv ids in the PDFs that are not known here{_then(services)}"
        f"{f'; of those unknown there, {further}' if further else ''}. No text of a PDF leaves this machine."
    )

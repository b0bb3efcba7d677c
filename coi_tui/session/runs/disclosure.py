"""What leaves this machine when a plan is run or a paper is looked up, and who gets it, shown before
anything is asked."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from coi_tui.config import Keys, Settings
from coi_tui.model.address import parse_address
from coi_tui.model.criteria import REF
from coi_tui.services.sources.source_registry import (
    id_services,
    services_in_order,
    source_names,
    spec_of,
)
from coi_tui.session.core import SessionCore
from coi_tui.session.runs.plans import PlanLine
from coi_tui.session.runs.service_setup import OFFLINE, ServiceSetup, setup_of


def sends(core: SessionCore, setup: ServiceSetup, lines: Sequence[PlanLine]) -> tuple[str, ...]:
    """One entry a service, then what goes and what does not; never empty."""
    out = []
    if setup.online_model:
        out.append(
            "to the language model: topic, titles, abstracts or texts of papers, cards, trends, directions, ideas, plans"
        )
        out += _own_words(core, lines)
    specs = [spec_of(name) for name in setup.order]
    for spec, before in zip(specs, [None, *specs], strict=False):
        words, only = spec.sends, ""
        if before is not None:
            words = "the same" if words == before.sends else words
            only = f", only where {before.title} is unreachable or has nothing"
        out.append(f"to {spec.title}: {words}{only}")
        if spec.sends_for_people and _asks_for_people(core, lines):
            out.append(f"to the same: {spec.sends_for_people}")
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


def _part(line: PlanLine) -> str:
    return parse_address(line.address).part if line.address else ""


def _own_words(core: SessionCore, lines: Sequence[PlanLine]) -> Iterator[str]:
    """What a plan sends of the person's own: PDFs, hunch, criteria, reasons, means, wishes."""
    state, on = core.state, [line for line in lines if not line.off]
    reading = {
        kind.stage for kind in core.methods.every_kind() if kind.role in ("summary", "verdicts")
    }
    if any(_part(line) in ("card", "rel") or line.stage in reading for line in on):
        used = {slot.paper for slot in state.slots.values()}
        here, library = (
            len(used & state.attached.keys()),
            sum(1 for _ in core.paths.imported_texts.glob("*.txt")),
        )
        if here or library:
            counted = f"{here} attached here, {library} in your library"
            yield f"the text of your own PDFs ({counted}), each only in the prompt that reads it"
    yield (
        "your hunch; your notes stay here"
        if state.settings.get("send_hunch")
        else "your notes and your hunch stay here"
    )
    own = ["your criteria"] if state.meaning(REF) is not None else []
    if state.turned_down():
        own.append("your reasons for rejecting papers")
    if own:
        yield f"with verdicts on papers: {' and '.join(own)}"
    writes = any(_part(line) == "exp" or line.stage == "experiment" for line in on)
    if writes and state.value("means#text"):
        yield "your means as you wrote them"
    if any(line.address and state.cell(line.address).wishes for line in on):
        yield "what you asked for, in your words"


HERE = "looked up only on this machine; nothing leaves it."


def lookup_disclosure(settings: Settings, keys: Keys, offline: bool) -> str:
    """Who is sent an id, an address or a title that is looked up and not known here, in one
    sentence. Asks nobody."""
    setup = setup_of(settings, keys, offline)
    if not setup.online_source:
        why = "Offline" if setup.why == OFFLINE else "No online source is set up"
        return f"{why}: {HERE}"
    first, *others = [service.spec.title for service in services_in_order(settings, keys)]
    then = [f"where it is unreachable or has nothing, {title} too" for title in others]
    schemes = dict.fromkeys(scheme for name in source_names() for scheme in spec_of(name).ids)
    last = {
        service.spec.name: f"if nothing is found, {service.spec.title} gets {service.spec.sends}"
        for scheme in schemes
        for service in id_services(scheme, settings, keys)
    }
    return f"{'; '.join([f'What is not known here is sent to {first}', *then, *last.values()])}."

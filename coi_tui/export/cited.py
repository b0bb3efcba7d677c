"""Papers that the texts name by title: those of the session go into the references, the others are listed as unverified."""

from __future__ import annotations

from collections.abc import Iterator

from coi_tui.export.sheet import Sheet
from coi_tui.export.titles import named_in, normalise, texts_of

_IDEA = ("motivation", "novelty", "contributions", "method", "origin", "difference", "challenges", "final")
_PLAN = ("design", "baselines", "ablation", "metrics", "implementation", "feasibility")


def named(sheet: Sheet) -> dict[str, list[str]]:
    """Titles named in the texts shown, with the addresses where each stands."""
    out: dict[str, list[str]] = {}
    quiet = frozenset(_own_words(sheet))
    for address, text in _texts(sheet):
        for title in named_in(text, sheet.book.shelf, quiet):
            _add(out, title, address)
    for branch in sheet.subject.shown:
        plan = sheet.state.in_use(f"{branch}/exp")
        for title in texts_of(plan.content, ("references",)) if plan else ():
            _add(out, title.strip(), f"{branch}/exp")
    return out


def _add(out: dict[str, list[str]], title: str, address: str) -> None:
    same = next((known for known in out if normalise(known) == normalise(title)), title)
    places = out.setdefault(same, [])
    if address not in places:
        places.append(address)


def _texts(sheet: Sheet) -> Iterator[tuple[str, str]]:
    state = sheet.state
    for branch in sheet.subject.shown:
        cells = [*((t, ("text",)) for t in state.trends(branch)), (f"{branch}/dir", ("text", "note")), (f"{branch}/idea", _IDEA),
                 (f"{branch}/exp", _PLAN)]  # fmt: skip
        for address, fields in cells:
            version = state.in_use(address)
            for text in texts_of(version.content, fields) if version else ():
                yield address, text
    for branch in state.branches:
        idea = state.in_use(f"{branch}/idea")
        if branch not in sheet.subject.shown and idea is not None:
            yield from ((f"{branch}/idea", text) for text in texts_of(idea.content, ("final",)))


def _own_words(sheet: Sheet) -> Iterator[str]:
    """Texts of the session that may be quoted without naming a paper: topic, questions, titles of its own ideas, limitations read."""
    for address, version in sheet.subject.in_use().items():
        if address == "topic" or address.startswith("Q"):
            yield normalise(str(version.content.get("text", "")))
        elif address.endswith("/idea"):
            yield normalise(str(version.content.get("title", "")))


def unverified(sheet: Sheet) -> dict[str, list[str]]:
    """Titles that match no paper of the session, with the addresses where they stand."""
    return {title: where for title, where in named(sheet).items() if sheet.book.shelf.find(title) is None}


def cite_named(sheet: Sheet) -> None:
    """Gives a number to every paper of the session that a text names, so that it stands in the references."""
    for title in named(sheet):
        if found := sheet.book.shelf.find(title):
            sheet.book.number(found)

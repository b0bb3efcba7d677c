"""What a person decides on the rows of SciPIP's tables by a key: entities, papers, merged papers, first ideas, and ideas that stay."""

from __future__ import annotations

from collections.abc import Sequence

from coi_tui.methods.scipip import contents
from coi_tui.methods.scipip.entities import Entity, key_of
from coi_tui.model.address import parse_address
from coi_tui.model.content import Named
from coi_tui.model.state import State
from coi_tui.model.views import RowChange, RowKey

BY_YOU_OUT, BY_YOU_IN = "You left it out.", "You kept it."


def choice_of(state: State, address: str) -> contents.ChoiceContent:
    """What was chosen for the instance of an address."""
    return state.read(_choice(address), contents.ChoiceContent) or contents.ChoiceContent()


def _choice(address: str) -> str:
    return f"{parse_address(address).instance}/choice"


def _turned(key: RowKey, off: bool) -> bool | None:
    """Whether a row is off after a key; None where the key changes nothing about it."""
    after = {"tick": not off, "accept": False, "reject": True}.get(key)
    return None if after is off else after


def synonyms(row: contents.EntityRow) -> Entity:
    """An entity with its synonyms, as the row of it says them."""
    return Entity(row.name, tuple(filter(None, row.description.split("; "))))


def entity_off(choice: contents.ChoiceContent, row: contents.EntityRow) -> bool:
    """Whether a person switched an entity off, by any of its names."""
    return bool({key_of(name) for name in choice.entities_off} & synonyms(row).keys)


def entity_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Switch an entity on or off."""
    held = state.read(address, contents.EntitiesContent) or contents.EntitiesContent()
    entity = next((one for one in held.entities if one.name == row), None)
    return (
        _switched(address, choice_of(state, address), entity, key) if entity is not None else None
    )


def _switched(
    address: str, choice: contents.ChoiceContent, entity: contents.EntityRow, key: RowKey
) -> RowChange | None:
    after = _turned(key, entity_off(choice, entity))
    if after is None:
        return None
    names = synonyms(entity).keys
    lines = [line for line in choice.entities_off if key_of(line) not in names]
    done = "is off: it is not searched with" if after else "is on again"
    return _written(
        address,
        {"entities_off": [*lines, entity.name] if after else lines},
        _switch(after),
        f"“{entity.name}” {done}.",
    )


def _switch(off: bool) -> str:
    return "switch off" if off else "switch on"


def _written(address: str, fields: dict[str, list[str]], word: str, said: str) -> RowChange:
    return RowChange(_choice(address), fields, word, said)


def says(lines: Sequence[str], paper: str, title: str) -> bool:
    """Whether a paper is among those that a person named, by id or title."""
    return any(line == paper or line.strip().casefold() == title.casefold() for line in lines)


def _without(lines: Sequence[str], paper: str, title: str) -> list[str]:
    return [line for line in lines if not says([line], paper, title)]


def paper_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Untick, tick or pin a paper that was retrieved, or set it apart from those that it was merged with."""
    held, choice = (
        state.read(address, contents.RetrievedContent) or contents.RetrievedContent(),
        choice_of(state, address),
    )
    title = next((one.title for one in held.papers if one.paper == row), None)
    if title is None:
        return None
    if key == "split":
        merged = any(row in group for group in held.clusters)
        return (
            _apart(address, choice, row, title)
            if merged or says(choice.apart, row, title)
            else None
        )
    return (
        _pinned(address, choice, row, title)
        if key == "pin"
        else _ticked(address, choice, row, title, key)
    )


def _pinned(address: str, choice: contents.ChoiceContent, paper: str, title: str) -> RowChange:
    lines, short = _without(choice.pinned, paper, title), f"“{title[:50]}”"
    if says(choice.pinned, paper, title):
        return _written(address, {"pinned": lines}, "unpin", f"{short} is no longer pinned.")
    fields = {"pinned": [*lines, paper], "papers_off": _without(choice.papers_off, paper, title)}
    return _written(address, fields, "pin", f"{short} is pinned.")


def _ticked(
    address: str, choice: contents.ChoiceContent, paper: str, title: str, key: RowKey
) -> RowChange | None:
    after, lines = (
        _turned(key, says(choice.papers_off, paper, title)),
        _without(choice.papers_off, paper, title),
    )
    if after is None:
        return None
    if not after:
        return _written(address, {"papers_off": lines}, "tick", f"“{title[:50]}” is ticked again.")
    fields = {"papers_off": [*lines, paper], "pinned": _without(choice.pinned, paper, title)}
    return _written(address, fields, "untick", f"“{title[:50]}” is unticked.")


def _apart(address: str, choice: contents.ChoiceContent, paper: str, title: str) -> RowChange:
    apart, short = says(choice.apart, paper, title), f"“{title[:50]}”"
    lines = _without(choice.apart, paper, title)
    word, done = (
        ("join again", "may share a cluster again")
        if apart
        else ("set apart", "stands apart from those merged with it")
    )
    return _written(
        address, {"apart": lines if apart else [*lines, paper]}, word, f"{short} {done}."
    )


def first_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Leave a first idea out of what the filter sees, or take it in again."""
    held, choice = state.read(address, contents.FirstContent), choice_of(state, address)
    after = (
        _turned(key, row in choice.ideas_off) if held is not None and row in held.ideas else None
    )
    if after is None:
        return None
    lines = [line for line in choice.ideas_off if line != row]
    said = "The idea goes no further." if after else "The idea is in again."
    return _written(
        address, {"ideas_off": [*lines, row] if after else lines}, "drop" if after else "keep", said
    )


def stay_change(state: State, address: str, row: str, key: RowKey) -> RowChange | None:
    """Drop an idea that was to stay, or keep one that was to go; the texts stay as they are."""
    held = state.read(address, contents.FilteredContent) or contents.FilteredContent()
    here = row in held.kept or any(one.name == row for one in held.dropped)
    after = _turned(key, row not in held.kept) if here else None
    if after is None:
        return None
    kept = [text for text in held.kept if text != row] + ([] if after else [row])
    dropped = _rows_with(held.dropped, row, BY_YOU_OUT if after else "")
    reasons = _rows_with(held.reasons, row, "" if after else BY_YOU_IN)
    word, said = ("drop", "The idea goes.") if after else ("keep", "The idea stays.")
    return RowChange(address, {"kept": kept, "dropped": dropped, "reasons": reasons}, word, said)


def _rows_with(rows: Sequence[Named], text: str, reason: str) -> list[dict[str, str]]:
    """Ideas with their reasons, one of them with another reason at the end; without a reason it goes."""
    others = [one.model_dump() for one in rows if one.name != text]
    return [*others, {"name": text, "description": reason}] if reason else others

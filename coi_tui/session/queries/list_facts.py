"""How far a list of papers reaches, how old the answers behind it are, and whether they came from the library."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.literature.cached_answers import age_text
from coi_tui.model.address import parse_address
from coi_tui.model.state import State


def looked_at(content: Mapping[str, Any], pos: int) -> str:
    """``looked at 100 of 5,230 citing papers``; empty where the whole list was looked at, or nobody knows how long it is."""
    seen, total = content.get("looked_at"), content.get("total")
    if not isinstance(seen, int) or not isinstance(total, int) or total <= seen:
        return ""
    return f"looked at {seen:,} of {total:,} {'citing' if pos > 0 else 'cited'} papers"


def left_out(content: Mapping[str, Any]) -> str:
    """``3 left out by your criteria``, counted over all that fit, listed or not; empty where none was."""
    marked = sum(bool(e.get("left_out")) for e in content.get("entries", ()))
    number = content.get("left_out", marked)
    unlisted = f", {number - marked} of them not listed" if number > marked else ""
    return f"{number} left out by your criteria{unlisted}" if number else ""


def extent(content: Mapping[str, Any], pos: int) -> str:
    """Both in one line."""
    return "; ".join(part for part in (looked_at(content, pos), left_out(content)) if part)


Part = tuple[str, str]
BUNDLED = "starter library"
"""It comes with the program, so its answers have no age."""


@dataclass(frozen=True)
class Age:
    """``date`` (ISO) of the oldest answer, empty where none is known; ``kept``: one of them came from the library."""

    date: str = ""
    kept: bool = False
    source: str = ""


def age_of(state: State, address: str) -> Age:
    """The age of the list at an address: of candidates, of a slot's candidates, or of the searches of a novelty report."""
    at = parse_address(address)
    if at.part == "slot":
        return age_of(state, f"{address}.cands")
    version = state.in_use(address) if at.part in ("cands", "nov") else None
    return _age(version.content) if version is not None else Age()


def _age(content: Mapping[str, Any]) -> Age:
    rows = [content] if "of" in content else [*content.get("tries", ()), *content.get("searches", ())]
    dated = [r for r in rows if r.get("date") and (r.get("kept") or not str(r.get("source", "")).endswith(BUNDLED))]
    if not dated:
        return Age()
    oldest = min(dated, key=lambda r: str(r["date"]))
    return Age(str(oldest["date"]), any(bool(r.get("kept")) for r in dated), str(oldest.get("source", "")))


def told_in(age: Age, now: str) -> str:
    """``answered 3 d ago, from the library``; empty where there is no age. ``now`` is a date or time (ISO)."""
    return age_text(age.date, now, cached=age.kept)


def with_age(parts: tuple[Part, ...], state: State, address: str, now: str) -> tuple[Part, ...]:
    """The parts of a text with the age of its list, after how that was ranked or chosen."""
    age = age_of(state, address)
    if not (said := told_in(age, now)):
        return parts
    after = next((n for n, (name, _) in enumerate(parts, start=1) if name in ("RANKED", "WHY HERE")), len(parts))
    return (*parts[:after], ("LIST", f"{said} ({age.source}, {age.date[:10]})"), *parts[after:])

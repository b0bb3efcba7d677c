"""Names of sessions, addresses and versions as people type them."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Set
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.model.address import PAIR, parse_address, slot
from coi_tui.model.errors import UnknownAddress, UsageError
from coi_tui.model.text import clean_line, count, nearest
from coi_tui.paths import Paths

if TYPE_CHECKING:
    from coi_tui.model.state import State


ENDING = ".coi.db"

_TREND = re.compile(r"([1-9]\d?)/t(\d{1,2})")

_SAFE = re.compile(r"[^a-z0-9]+")


def slug(topic: str, limit: int = 40) -> str:
    """A file name for a topic: letters, digits and hyphens, at most ``limit`` characters, cut
    between words."""
    plain = unicodedata.normalize("NFKD", topic).encode("ascii", "ignore").decode().lower()
    words = _SAFE.sub("-", plain).strip("-")
    if len(words) > limit:
        words = words[:limit].rsplit("-", 1)[0]
    return words or "session"


def free_name(paths: Paths, topic: str) -> str:
    """The topic's slug, with a number where a session of that name exists."""
    name = base = slug(topic)
    number = 1
    while (paths.sessions / f"{name}{ENDING}").exists():
        number += 1
        name = f"{base}-{number}"
    return name


def session_path(paths: Paths, name: str, *, existing: bool = False) -> Path:
    """The file behind a session's name, or a path to a ``.coi.db`` file taken as it is. Raises
    UsageError naming what is wrong."""
    said = clean_line(name)
    is_path = said.endswith(ENDING) and ("/" in said or Path(said).exists())
    path = Path(said).expanduser() if is_path else _named(paths, said.removesuffix(ENDING))
    if existing and not path.exists():
        near = nearest(path.name.removesuffix(ENDING), _known(paths))
        hint = f"Did you mean {near}?" if near else "`coi ls` lists the sessions there are."
        raise UsageError(f"There is no session {said!r}.", hint)
    return path


def _known(paths: Paths) -> list[str]:
    """The names of all sessions."""
    return (
        sorted(p.name.removesuffix(ENDING) for p in paths.sessions.glob(f"*{ENDING}"))
        if paths.sessions.is_dir()
        else []
    )


def _named(paths: Paths, name: str) -> Path:
    if (
        not name
        or name.startswith(".")
        or any(c in name for c in '/\\:*?"<>|\0')
        or len(name.encode()) > 120
    ):
        raise UsageError(
            f"{name[:60]!r} cannot be the name of a session.",
            "Use letters, digits, hyphens and blanks.",
        )
    return paths.sessions / f"{name}{ENDING}"


def resolve(state: State, text: str) -> str:
    """The stored address for a typed one; ``1/t0`` is the oldest pair of the chain as it is now."""
    said = text.strip()
    if m := _TREND.fullmatch(said):
        trends = state.pairs(int(m[1]))
        number = int(m[2])
        if number >= len(trends):
            raise UsageError(
                f"Branch {m[1]} has {count(len(trends), 'trend')}.",
                "They count from t0, the oldest pair.",
            )
        return trends[number]
    return str(parse_address(said))


def require_known(state: State, address: str, rows: Set[str], *, made: bool) -> None:
    """Raises UnknownAddress for an address of a branch, a match or a place in a chain that the
    session does not have.

    A text that has not been made yet is no reason: there are decisions about those too. ``rows``
    gives the addresses in the tree; ``made``: whether the methods of the session make cells of this
    name.
    """
    at = parse_address(address)
    if at.part == "match":
        there = {at.branch, at.other} <= set(state.branches)
    elif at.part == PAIR:
        there = {slot(at.branch, at.pos), slot(at.branch, at.newer)} <= rows
    elif at.attached or at.part == "slot":
        there = str(at.slot) in rows
    else:
        there = address in rows or not at.branch or (made and at.branch in state.branches)
    if not there and not state.cell(address).versions:
        known = ", ".join(map(str, state.branches)) or "none"
        raise UnknownAddress(
            f"There is no {address} in this session.", f"Its branches are {known}."
        )


def find_version(state: State, address: str, text: str) -> int:
    """The entry number of a typed version: ``v2`` is the second of its cell, a bare number is the
    entry number itself."""
    said, versions = text.strip().casefold(), state.cell(address).versions
    number = said.removeprefix("v")
    if not number.isdigit():
        raise UsageError(
            f"{text!r} is not a version.", "Say v1, v2 ... as the history counts them."
        )
    if not said.startswith("v"):
        return int(number)
    if not 1 <= int(number) <= len(versions):
        raise UsageError(f"{address} has no version v{number}.", f"It has {len(versions)}.")
    return versions[int(number) - 1]

"""What other programs propose for a session that somebody has open: lines of a file beside it, which
whoever has it open takes in (decision 122)."""

from __future__ import annotations

import logging
import secrets
from pathlib import Path

from pydantic import BaseModel, ConfigDict, ValidationError

from coi_tui.model.address import cell_ref
from coi_tui.model.entries import Decision, Entry, Version
from coi_tui.model.errors import StoreError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.paths import make_file, writing
from coi_tui.session.core import SessionCore

log = logging.getLogger(__name__)
OTHERS = "agent:"
"""What the names of other programs begin with."""


class Proposal(BaseModel):
    """What one program proposes at once; its versions come before the decision that names them."""

    model_config = ConfigDict(defer_build=True)

    entries: tuple[Entry, ...]
    papers: tuple[Paper, ...] = ()


def inbox_of(session: Path) -> Path:
    return session.with_name(f"{session.name}.proposals")


def post(core: SessionCore, trial: SessionCore) -> None:
    """Leave what was written to a rehearsal of a session for the program that has it open. Raises
    StoreError where the file cannot be written."""
    group = secrets.token_hex(8)
    entries = trial.journal.entries[len(core.journal.entries) :]
    known = core.journal.papers
    proposal = Proposal(
        entries=tuple(
            one.model_copy(update={"group": group}) if isinstance(one, Decision) else one
            for one in entries
        ),
        papers=tuple(p for p in trial.journal.papers.values() if p.id not in known),
    )
    inbox = inbox_of(core.file.path)
    with writing(f"{inbox.name} cannot be written"):
        make_file(inbox)
        with inbox.open("ab", buffering=0) as out:  # one write, whole beside those of others
            out.write(f"{proposal.model_dump_json()}\n".encode())


def take_proposals(core: SessionCore) -> list[Decision]:
    """Write what other programs left for this session into it; a line that cannot be read, and one that
    is in the log already, are passed over. What cannot be written now stays for the next time."""
    inbox = inbox_of(core.file.path)
    taken, found = inbox.with_suffix(".taken"), list[Decision]()
    if core.file.read_only or not (taken.exists() or inbox.exists()):
        return found
    try:
        with writing(f"{inbox.name} cannot be taken in"):
            if not taken.exists():
                inbox.replace(taken)  # what comes from now on is for the next time
            for line in taken.read_text("utf-8", errors="replace").splitlines():
                try:
                    found += _take(core, Proposal.model_validate_json(line))
                except (ValidationError, UsageError) as error:
                    log.warning("a proposal was passed over: %s", error)
            taken.unlink()
    except StoreError as error:
        log.warning("proposals wait: %s", error)
    return found


def _take(core: SessionCore, proposal: Proposal) -> list[Decision]:
    """Number the entries of a proposal anew, and write them. Raises UsageError for what is no address."""
    known = {one.group for one in core.journal.entries if isinstance(one, Decision)}
    theirs = [one for one in proposal.entries if isinstance(one, Decision)]
    if (
        not theirs
        or proposal.entries[-1] is not theirs[-1]  # a decision closes what is proposed at once
        or any(one.action != "propose" or one.group in known for one in theirs)
        or not all(one.actor.startswith(OTHERS) for one in proposal.entries)
    ):
        return []
    numbers, own = dict[int, int](), list[Decision | Version]()
    for number, one in enumerate(proposal.entries, start=core.journal.next_seq):
        cell_ref(one.address)
        numbers[one.seq] = number
        if isinstance(one, Decision) and one.value.get("version") in numbers:
            value = {**one.value, "version": numbers[one.value["version"]]}
            one = one.model_copy(update={"value": value})
        own.append(one)
    core.write(own, proposal.papers)
    return theirs

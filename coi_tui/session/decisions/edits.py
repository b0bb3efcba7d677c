"""Texts that a person writes: the text of a cell as it is edited, read back, saved as a version,
and kept as a draft meanwhile."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.engine.declarations import CellKind
from coi_tui.engine.text_parts import TextPart as TextPart
from coi_tui.engine.text_parts import (
    filled_parts,
    for_reading,
    from_text,
    headed,
    part_named,
    parts_in,
    to_text,
)
from coi_tui.engine.verb import Desk
from coi_tui.literature.citations import with_id_marks, with_short_marks
from coi_tui.methods.ideas import literature
from coi_tui.model.address import Branch, cell_at, cell_ref
from coi_tui.model.content import NoveltyReport
from coi_tui.model.document import RowChange, RowKey
from coi_tui.model.entries import Decision, Version, meanings_of, named
from coi_tui.model.errors import UsageError
from coi_tui.model.fold import logged_number
from coi_tui.model.papers import Paper
from coi_tui.model.text import Values, joined
from coi_tui.present.bibliography import titles_in
from coi_tui.session.core import SessionCore
from coi_tui.session.decisions.impact import impact_of

NO_TEXT = "there is no text to edit here"


def edit_entries(
    core: Desk,
    address: str,
    content: Values,
    reason: str = "",
    wording_only: bool = False,
    opened: Mapping[str, str | None] | None = None,
    other: int | None = None,
) -> list[Decision | Version]:
    """A content as a person's version, made from the one in use, and the decision that takes it
    into use."""
    state, current = core.state, core.state.in_use(address)
    parents = (current.seq if current else None, other)
    version = Version(
        actor="you",
        address=address,
        content=content,
        meanings=_meanings(content, current, wording_only),
        origin="person" if other is None else "merged",
        parents=tuple(logged_number(state, seq) for seq in parents if seq is not None),
        inputs=dict(opened) if opened is not None else core.inputs_now(address),
        wording_only=wording_only,
    )
    decision = Decision(
        actor="you",
        action="edit",
        address=address,
        value={"version": core.journal.next_seq, "wording_only": wording_only},
        before={"version": current.seq} if current else {},
        reason=reason,
    )
    before = literature.before_edit(state, version)
    return [version, *([before] if before else []), decision]


@dataclass(frozen=True)
class Effect:
    """Rows that are up to date and would not be. ``problem`` says why the text cannot be saved as
    it is; then there are none."""

    stale: tuple[str, ...] = ()
    problem: str = ""


class Edits:
    """A person's own texts."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def text_of(self, address: str) -> str:
        """The text in use as a person edits it. Raises UsageError for what has no editable text."""
        version = self._core.state.in_use(address)
        return self.as_text(address, version.content if version else {})

    def as_text(self, address: str, content: Values) -> str:
        """A content of the cell as a person edits it, with citations by authors and year. Raises
        UsageError for what has no editable text."""
        return with_short_marks(to_text(self._kind(address), content), self._core.state.papers)

    def parts(self, address: str, text: str) -> list[TextPart]:
        """The parts of an edited text, each as a person writes it in a field. Raises UsageError
        where they cannot be told apart."""
        return parts_in(self._kind(address), address, text)

    def filled(self, address: str, text: str) -> dict[str, str]:
        """The parts that a text says something of. Raises UsageError where they cannot be told
        apart."""
        return filled_parts(self._kind(address), address, text)

    def for_reading(self, address: str, text: str) -> str:
        """An edited text, or some of it, to look at."""
        return for_reading(self._kind(address), text)

    def joined(self, address: str, parts: Mapping[str, str]) -> str:
        """The parts of a text, by their names, as one text."""
        return headed(self._kind(address), parts)

    def part_alone(self, address: str, part: str, text: str) -> str:
        """A text that says one part anew and leaves the others as they are. Raises UsageError for
        what is no part of it."""
        kind = self._kind(address)
        return headed(kind, {part_named(kind, address, part).name: text})

    def editable(self, address: str) -> bool:
        """Whether the cell at an address holds a text that a person may edit."""
        return self._core.methods.kind(address).editable

    def _kind(self, address: str) -> CellKind:
        methods, kind = self._core.methods, self._core.methods.kind(address)
        if not kind.editable:
            names = sorted({k.title.lower() for k in methods.every_kind() if k.editable})
            raise UsageError(f"{address}: {NO_TEXT}.", f"These can be edited: {', '.join(names)}.")
        return kind

    def save(
        self,
        address: str,
        text: str,
        *,
        reason: str = "",
        wording_only: bool = False,
        other: int | None = None,
        opened: Mapping[str, str | None] | None = None,
    ) -> Decision:
        """Save a person's text as a version and use it. ``other``: another version that went into
        it, of this cell or of one with the same parts; it is then a parent too. ``opened``: the
        inputs as they were when the editor opened."""
        self._core.check_writable()
        if other is not None:
            self._require_mergeable(address, other)
        content = self._content(address, text)
        return self._core.write(
            edit_entries(self._core, address, content, reason, wording_only, opened, other)
        )

    def propose(self, address: str, text: str, reason: str) -> Decision:
        """Put a text of another program beside the one in use, where it waits for a person."""
        self._core.check_writable()
        version, *_, edit = edit_entries(self._core, address, self._content(address, text), reason)
        own, beside = {"actor": self._core.writer}, f"proposed by {named(self._core.writer)}"
        told = {**own, "origin": "model", "alternative_because": beside}
        beside_it = version.model_copy(update=told)
        return self._core.write([beside_it, edit.model_copy(update={**own, "action": "propose"})])

    def effect(self, address: str, text: str, *, wording_only: bool = False) -> Effect:
        """What saving a text would make stale; nothing is written."""
        try:
            content = self._content(address, text)
        except UsageError as error:
            return Effect(problem=str(error))

        def save(trial: SessionCore) -> None:
            # a job may be committing: numbers of entries are those of the rehearsal
            trial.write(edit_entries(trial, address, content, wording_only=wording_only))

        changes = impact_of(self._core, address, save)
        return Effect(tuple(a for a in changes.stale if a != address))

    def _content(self, address: str, text: str) -> dict[str, Any]:
        """A text read back. Raises UsageError where it cannot be, and for a cell without text of
        its own."""
        kind, branch, state = self._kind(address), cell_ref(address).branch, self._core.state
        if branch and branch not in (*state.branches, *state.instances):
            raise UsageError(f"There is no branch {branch}.", "`coi show` lists what there is.")
        parent = state.in_use(address)
        base = parent.content if parent else {}
        text = with_id_marks(text, state.papers, to_text(kind, base))
        content = from_text(kind, address, text, base)
        content.pop("linked", None)  # a person who writes a trend sees a link
        if kind.role == "idea":  # a novelty check looks its works up
            works, before = content.get("works") or [], titles_in(base, state)
            new = (one for one in titles_in(content, state) if one not in (*before, *works))
            content["works"] = [*works, *new]
        return content

    def _require_mergeable(self, address: str, other: int) -> None:
        """Raise UsageError for a version whose text cannot go into that of an address."""
        if other in self._core.state.cell(address).versions:
            return
        version = self._core.state.versions.get(other)
        if version is None:
            raise UsageError(f"{address} has no version {other}.")
        theirs, own = self._core.methods.kind(version.address), self._kind(address)
        if theirs.content is not own.content or theirs.role != own.role:
            raise UsageError(
                f"{version.address} cannot be merged into {address}: it has other parts.",
                "Two ideas can be merged.",
            )

    # -- rows of a table

    def row_change(self, address: str, row: str, key: RowKey) -> RowChange | None:
        """What a key would do on a row of the table that a cell shows; None for nothing."""
        change = self._core.methods.kind(address).row_change
        return change(self._core.state, address, row, key) if change else None

    def change_row(self, address: str, row: str, key: RowKey, reason: str = "") -> RowChange:
        """Do it: a version of the person's, one entry, one undo. Raises UsageError where the key
        does nothing."""
        self._core.check_writable()
        change = self.row_change(address, row, key)
        if change is None:
            raise UsageError(f"Nothing in this row of {address} can be changed that way.")
        at, current = change.address, self._core.state.in_use(change.address)
        content = {**(current.content if current else {}), **change.content}
        out = Decision(actor="you", action="reject", address=at, reason=reason)
        self._core.write([out] if change.rejects else edit_entries(self._core, at, content, reason))
        return change

    def add_paper(self, address: str, paper: Paper) -> object:
        """Put a paper first in a list of papers, whether it is there or not."""
        self._core.check_writable()
        self._core.journal.write((), [paper])  # a record alone changes nothing
        row = address, paper.id
        return self.row_change(*row, "pin") and self.change_row(*row, "pin")

    def claims_as_text(self, branch: Branch) -> str:
        """The claims of the novelty report in use as a person begins to edit them."""
        report = self._core.state.read(cell_at(branch, "nov"), NoveltyReport) or NoveltyReport()
        return "\n".join(f"- {joined(': ', one.kind, one.text)}" for one in report.claims)

    # -- drafts

    def draft(self, address: str) -> str | None:
        """The text that was being written at an address when the session was last open, if any."""
        draft = self._core.file.drafts().get(address)
        return draft.text if draft else None

    def save_draft(self, address: str, text: str, opened: Mapping[str, str | None]) -> None:
        """Keep a text that is being written, outside the log, until ``save`` or ``drop_draft``."""
        version = self._core.state.in_use(address)
        self._core.file.save_draft(address, text, version.seq if version else None, opened)
        self._core.drafting.add(address)

    def drop_draft(self, address: str) -> None:
        """Forget the text that was being written."""
        self._core.file.drop_draft(address)
        self._core.drafting.discard(address)


def _meanings(content: Values, parent: Version | None, wording_only: bool) -> dict[str, str]:
    """What each field means: one that was not touched, or only worded anew, goes on meaning what it
    meant."""
    meanings = meanings_of(content)
    if parent is None:
        return meanings
    for name in meanings.keys() & parent.meanings.keys():
        if wording_only or parent.content.get(name) == content[name]:
            meanings[name] = parent.meanings[name]
    return meanings

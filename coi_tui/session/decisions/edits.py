"""Texts that a person writes: read as they are edited, saved as versions, kept as drafts while they are written."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from coi_tui.engine.declarations import CellKind
from coi_tui.model.address import parse_address
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import UsageError
from coi_tui.model.forking import logged_number
from coi_tui.session.core import SessionCore
from coi_tui.session.queries import texts


class Edits:
    """A person's own texts."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def text_of(self, address: str) -> str:
        """The text in use as a person edits it. Raises UsageError for what has no editable text."""
        version = self._core.state.in_use(address)
        return self.as_text(address, version.content if version else {})

    def as_text(self, address: str, content: Mapping[str, Any]) -> str:
        """A content of the cell as a person edits it. Raises UsageError for what has no editable text."""
        return texts.to_text(self._kind(address), content)

    def editable(self, address: str) -> bool:
        """Whether the cell at an address has a text that a person may edit."""
        kind = self._core.methods.kind(address)
        return kind is not None and kind.editable

    def _kind(self, address: str) -> CellKind:
        kind = self._core.methods.kind(address)
        if kind is None or not kind.editable:
            names = sorted({k.title.lower() for k in self._core.methods.every_kind() if k.editable})
            raise UsageError(f"{address} has no text to edit.", f"These have: {', '.join(names)}.")
        return kind

    def save(
        self, address: str, text: str, *, reason: str = "", wording_only: bool = False, opened: Mapping[str, str | None] | None = None
    ) -> Decision:
        """Save a person's text as a version and use it. ``opened``: the inputs as they were when the editor opened."""
        self._core.check_writable()
        return self._core.write(self.entries(address, text, reason=reason, wording_only=wording_only, opened=opened))

    def entries(
        self, address: str, text: str, *, reason: str = "", wording_only: bool = False, opened: Mapping[str, str | None] | None = None,
        beside: int | None = None,
    ) -> list[Decision | Version]:  # fmt: skip
        """The entries that saving a text would write; nothing is written. ``beside``: another version that went into it (a merge).

        Raises UsageError for a cell without text of its own and for a text that cannot be read back.
        """
        kind, branch, state = self._kind(address), parse_address(address).branch, self._core.state
        if branch and branch not in (*state.branches, *state.instances):
            raise UsageError(f"There is no branch {branch}.", "`coi show` lists what there is.")
        parent = self._core.state.in_use(address)
        content = texts.from_text(kind, address, text, parent.content if parent else {})
        meanings = meanings_of(content)
        if parent is not None:  # a field that was not touched goes on meaning what it meant, field by field
            same = {name for name in meanings if wording_only or parent.content.get(name) == content[name]}
            meanings = {name: parent.meanings.get(name, own) if name in same else own for name, own in meanings.items()}
        number = self._core.journal.next_seq
        parents = [seq for seq in (parent.seq if parent else None, beside) if seq is not None]
        version = Version(
            actor="you", address=address, content=content, meanings=meanings, origin="person" if beside is None else "merged",
            parents=tuple(logged_number(self._core.state, seq) for seq in parents),
            inputs=dict(opened) if opened is not None else self._core.inputs_now(address), wording_only=wording_only,
        )  # fmt: skip
        value = {"version": number, "wording_only": wording_only}
        before = {"version": parent.seq} if parent else {}
        return [version, Decision(actor="you", action="edit", address=address, value=value, before=before, reason=reason)]

    def merge(self, address: str, text: str, beside: int, reason: str = "") -> Decision:
        """Save a text made from the version in use and another one; it has both as parents. Raises UsageError as ``save`` does."""
        self._core.check_writable()
        if beside not in self._core.state.cell(address).versions:
            raise UsageError(f"{address} has no version {beside}.")
        return self._core.write(self.entries(address, text, reason=reason, beside=beside))

    def draft(self, address: str) -> str | None:
        """The text that was being written at an address when the session was last open, if any."""
        kept = self._core.file.drafts().get(address)
        return kept.text if kept else None

    def save_draft(self, address: str, text: str, opened: Mapping[str, str | None]) -> None:
        """Keep a text that is being written, outside the log, until ``save`` or ``drop_draft``."""
        version = self._core.state.in_use(address)
        self._core.file.save_draft(address, text, version.seq if version else None, opened)
        self._core.drafting.add(address)

    def drop_draft(self, address: str) -> None:
        """Forget the text that was being written."""
        self._core.file.drop_draft(address)
        self._core.drafting.discard(address)

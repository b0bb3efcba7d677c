"""The one facade: open, look, decide, edit, plan, run, undo, export. Screens and commands call this and nothing below it."""

from __future__ import annotations

import logging
from collections.abc import Callable, Mapping, Sequence
from datetime import UTC, datetime
from pathlib import Path
from typing import TYPE_CHECKING

from coi_tui.config import CoiSettings, Keys, Settings
from coi_tui.engine.journal import stamped
from coi_tui.model.entries import Decision, Version, meanings_of
from coi_tui.model.errors import CoiError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import clean, clean_line
from coi_tui.paths import Paths
from coi_tui.session.names import session_path
from coi_tui.session.runs.runner import Runs
from coi_tui.store.session_file import SessionFile

if TYPE_CHECKING:
    from coi_tui.model.criteria import Criteria
    from coi_tui.session.papers.imported_pdfs import PdfRead
    from coi_tui.session.papers.lookup import Answer


log = logging.getLogger(__name__)


def utc_now() -> str:
    return datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")


class Session(Runs):
    """An open session. Made by ``create`` or ``open``; close it. ``Looks`` reads it, ``Runs`` plans and runs, ``Moves`` decides."""

    # -- opening --------------------------------------------------------------------------------------------------

    @classmethod
    def create(
        cls, name: str, topic: str, *, paths: Paths, settings: Settings, keys: Keys, bounds: CoiSettings | None = None,
        offline: bool = False, hunch: str = "", clock: Callable[[], str] = utc_now,
    ) -> Session:  # fmt: skip
        """A new session with its topic. Raises UsageError for an empty topic, StoreError when the name is taken."""
        said = clean(topic).strip()
        if not clean_line(said):
            raise UsageError("The topic is empty.", "Say in a line or two what the idea should be about.")
        path = session_path(paths, name)
        content = {"text": said, "hunch": clean(hunch)} if hunch else {"text": said}
        chosen = (bounds or settings.coi).model_dump()
        entries: list[Decision | Version] = [
            Decision(actor="you", action="settings", address="session", value={**chosen, "offline": offline}, creation=True),
            Version(actor="you", address="topic", content=content, meanings=meanings_of(content), origin="person"),
            Decision(actor="you", action="edit", address="topic", value={"version": 2}, creation=True),
        ]  # fmt: skip
        meta = {"name": path.name.removesuffix(".coi.db"), "topic": clean_line(said)[:200], "method": "Chain of Ideas"}
        file = SessionFile.create(path, meta, entries=stamped(entries, 1, clock()), backups=paths.backups)
        session = cls(file, paths, settings, keys, clock)
        session.save_summary()
        return session

    @classmethod
    def open(
        cls, name: str, *, paths: Paths, settings: Settings, keys: Keys, read_only: bool = False, clock: Callable[[], str] = utc_now
    ) -> Session:
        """An existing session by name or path. Raises UsageError when there is none, StoreError when it cannot be read."""
        path = session_path(paths, name, existing=True)
        file = SessionFile.open(path, read_only=read_only, backups=paths.backups)
        try:
            return cls(file, paths, settings, keys, clock)
        except BaseException:
            file.close()
            raise

    def back_up(self) -> None:
        """A copy of the file when the newest is older than half an hour; what goes wrong is logged and stops nothing."""
        try:
            self.file.backup_if_due()
        except CoiError as error:
            log.warning("no backup copy was made: %s", error)

    def close(self) -> None:
        if not self.file.read_only:
            self.save_summary()
        self.file.close()

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *exc: object) -> None:
        self.close()

    def set_criteria(self, asked: Criteria, reason: str = "") -> Decision:
        """Decide which papers may be proposed. Raises UsageError where nothing would change or the session is read-only."""
        from coi_tui.session.decisions.criteria import set_criteria

        return set_criteria(self, asked, reason)

    def set_order(self, names: str | Sequence[str], question: int = 0, reason: str = "") -> Decision:
        """Decide in which order sources are asked, here or for one question. Raises UsageError for names of none, or with no change."""
        from coi_tui.session.papers.source_order import set_order

        return set_order(self, names, question, reason)

    # -- exports --------------------------------------------------------------------------------------------------

    def export(self, kind: str = "md") -> str:
        """The proposal (``md``), everything (``json``), the references (``bib``) or the timeline as a picture (``svg``)."""
        from coi_tui.session.exports import export

        return export(self, kind)

    def export_warnings(self) -> list[tuple[str, str]]:
        """What the proposal would warn of now: kind and sentence each."""
        from coi_tui.session.exports import cautions_of

        return cautions_of(self)

    def write_beside(self, kind: str) -> str:
        """Write an export beside the session under a free name; the path. Raises UsageError, StoreError."""
        from coi_tui.session.exports import write_beside

        return write_beside(self, kind)

    def write_export(self, text: str, path: str, *, overwrite: bool = False) -> str:
        """Write an exported text; an existing file only with ``overwrite``. Returns the path written."""
        from coi_tui.session.exports import write

        return write(text, path, overwrite=overwrite)

    def write_exports(self, targets: Mapping[str, Path], *, overwrite: bool = False) -> list[str]:
        """Write an export of each kind to its file, all or none; the paths. Raises UsageError; then no file has changed."""
        from coi_tui.session.exports import write_several

        return write_several(self, targets, overwrite=overwrite)

    async def read_pdf(self, said: str) -> PdfRead:
        """Read the PDF that a typed path means, in a process of its own. Raises UsageError, in one sentence, where it cannot be."""
        from coi_tui.session.papers.imported_pdfs import read_named

        return await read_named(said)

    def attach(self, address: str, read: PdfRead, reason: str = "") -> Decision:
        """Attach the researcher's own PDF to the paper at an address: its text takes the place of what was read before."""
        from coi_tui.session.decisions.attachments import attach

        return attach(self, address, read, reason)

    def paper_to_attach_to(self, address: str) -> Paper:
        """The paper that a PDF would be attached to. Raises UsageError where none is, or where the session is read-only."""
        from coi_tui.session.decisions.attachments import paper_at

        self._writable()
        return paper_at(self, address)

    def doubt(self, address: str, read: PdfRead) -> str:
        """A sentence where a PDF does not look like the paper at an address; empty where it does."""
        from coi_tui.session.decisions.attachments import doubt, paper_at

        return doubt(read, paper_at(self, address))

    def find_paper(self, text: str) -> Paper:
        """The paper that an id, URL or title means: in this session, the starter library, or online unless offline."""
        from coi_tui.session.papers.lookup import find_paper

        return find_paper(self, text)

    async def look_up(self, text: str) -> Answer:
        """Papers that an id, URL or title may mean, off the event loop where it takes time. Raises UsageError when nothing fits."""
        from coi_tui.session.papers.lookup import look_up

        return await look_up(self, text)

    def told_of_lookup(self, text: str) -> str:
        """What looking this up would send, and to whom, in one sentence. Asks nobody."""
        from coi_tui.session.runs.disclosure import told_of_lookup

        return told_of_lookup(self.settings, self.keys, self.offline, text)

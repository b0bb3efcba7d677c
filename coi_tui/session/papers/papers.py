"""Papers that a person looks up, brings along or reads."""

from __future__ import annotations

from coi_tui.model.address import slot_of
from coi_tui.model.papers import Paper
from coi_tui.session.core import SessionCore
from coi_tui.session.papers.imported_pdfs import PdfRead, read_typed
from coi_tui.session.papers.lookup import Answer, find_paper, look_up
from coi_tui.session.papers.reading import Mark, Reading, marks, read
from coi_tui.session.runs.disclosure import lookup_disclosure


class Papers:
    """The papers of a session and those that it might take in."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    def find(self, text: str) -> Paper:
        """The paper that an id, URL or title means: in this session, the starter library, or online
        unless offline."""
        return find_paper(self._core, text)

    async def look_up(self, text: str) -> Answer:
        """Papers that an id, URL or title may mean, off the event loop where it takes time. Raises
        UsageError when nothing fits."""
        return await look_up(self._core, text)

    def lookup_disclosure(self) -> str:
        """What a look-up would send, and to whom, in one sentence. Asks nobody."""
        return lookup_disclosure(self._core.settings, self._core.keys, self._core.offline)

    async def read_pdf(self, typed: str) -> PdfRead:
        """Read the PDF that a typed path means, in a process of its own. Raises UsageError, in one
        sentence, where it cannot be."""
        return await read_typed(typed)

    def attach_doubt(self, address: str, read: PdfRead) -> str:
        """A sentence where a PDF does not look like the paper at an address; empty where it does.
        It is attached all the same: the researcher knows."""
        from coi_tui.services.pdf.full_text import shows_paper

        state = self._core.state
        if shows_paper(read.looked, state.papers[state.slot(slot_of(address)).paper or ""]):
            return ""
        return "Its first page does not show this title; undo reverses it if it is another paper."

    def read(self, paper: Paper) -> Reading:
        """What was read of a paper in this session, else its abstract. Reads the file: call it off
        the event loop."""
        return read(self._core, paper)

    def passages(self, address: str, reading: Reading) -> list[Mark]:
        """The fields of the card at a slot, each with its passage. Takes time on long texts: call
        it off the event loop."""
        return marks(self._core, address, reading)

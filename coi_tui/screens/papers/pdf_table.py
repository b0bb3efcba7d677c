"""A folder of PDFs as a table: what each is taken for, accepted by one key where it is sure, decided row by row where it is not."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from functools import partial
from pathlib import Path

from rich.cells import cell_len
from textual import events
from textual.app import ComposeResult
from textual.content import Content
from textual.widgets import OptionList, Static

from coi_tui.model.errors import CoiError
from coi_tui.model.papers import Paper
from coi_tui.model.wording import count
from coi_tui.screens.listing import ListAndText
from coi_tui.screens.sheets.text_sheets import LineSheet
from coi_tui.session.papers.pdf_folder import WORDS, PdfFolder, PdfRow, summary
from coi_tui.session.runs.disclosure import pdfs_disclosure
from coi_tui.widgets.fields import MarkedList
from coi_tui.widgets.formatting import cut, fit
from coi_tui.widgets.key_actions import DECIDE, LIST_ACTIONS, RUN, KeyAction, line_actions
from coi_tui.widgets.panes import DetailPane, Line

PDFS_ACTIONS = (
    KeyAction(
        "all",
        "a",
        "a",
        "accept sure",
        "import all rows that are sure, by an id or by title and authors",
        DECIDE,
        1,
    ),
    KeyAction(
        "ask",
        "c",
        "c",
        "confirm",
        "ask the sources about the ids and titles found; no text is sent",
        RUN,
        2,
    ),
    KeyAction(
        "choose",
        "enter",
        "Enter",
        "take",
        "import this row as the table says, or as a suggestion",
        DECIDE,
        3,
    ),
    KeyAction(
        "name", "t", "t", "type", "type which paper it is: a DOI, an arXiv id or a title", DECIDE, 4
    ),
    KeyAction(
        "as_is",
        "equals_sign",
        "=",
        "as it is",
        "import it by its own title, confirmed by no source",
        DECIDE,
        5,
    ),
    KeyAction("out", "x", "x", "leave out", "do not import this row", DECIDE, 6),
    *LIST_ACTIONS,
    KeyAction(
        "cancel", "escape,q", "Esc", "back", "back; what was not taken is not imported", DECIDE, 9
    ),
)
NAME_PDF_ACTIONS = line_actions("take", "import the PDF as this paper", "the row stays as it was")


class NamePdfSheet(LineSheet):
    """Gives an id or a title, or None."""

    PLACE = "name_pdf"
    ACTIONS = NAME_PDF_ACTIONS
    HINT = "a DOI, an arXiv id or the title"


class PdfTableScreen(ListAndText[str]):
    """Reads the files, then shows them; each decision is kept at once. Gives how it stood at the end, in a line."""

    PLACE = "pdfs"
    ACTIONS = PDFS_ACTIONS
    NAMES = ("[1] PDFs", "[2] This PDF")

    def __init__(self, files: list[Path], folder: PdfFolder) -> None:
        super().__init__()
        self.files, self.folder = files, folder
        self.busy = "the PDFs are being read"
        """What is under way, as a reason why a key does nothing; empty once the table is there."""

    def body(self) -> ComposeResult:
        yield Line("Import PDFs", id="header")
        yield MarkedList(id="lines")
        yield DetailPane(id="about")
        yield Static("", id="sends", markup=False)
        yield Line("", id="said")

    def on_mount(self) -> None:
        self.replace_worker(self._read, "pdfs")

    @property
    def at(self) -> int | None:
        """The row under the cursor."""
        return (
            self.lines.highlighted
            if self.composed and self.folder.rows and self.lines.texts
            else None
        )

    @property
    def row(self) -> PdfRow | None:
        return self.folder.rows[self.at] if self.at is not None else None

    # -- reading and asking ---------------------------------------------------------------------------------------

    async def _read(self) -> None:
        await self.coi.load_keys()
        try:
            await self.folder.look(self.files, partial(self._told, "read"))
        except CoiError as error:
            self.trouble(error)
        self.busy = ""
        self._show(0)

    def _told(self, word: str, done: int, of: int) -> None:
        if self.composed:
            self.say(f"{done} of {of} PDFs {word}")

    def sends(self) -> str:
        """What asking the sources would send; empty where nobody can be asked, or nothing is to be."""
        return (
            ""
            if self.busy
            else pdfs_disclosure(self.coi.settings, self.coi.keys, False, self.folder.wanted())
        )

    def off_ask(self) -> str:
        return self.busy or (
            "" if self.sends() else "no source is online, or nothing is left to ask"
        )

    def do_ask(self) -> None:
        self.busy = "the sources are being asked"
        self.replace_worker(self._ask, "pdfs")

    async def _ask(self) -> None:
        from coi_tui.session.papers.pdf_confirmation import confirm_online

        coi = self.coi
        told = partial(self._told, "held against the sources")
        try:
            trouble = await confirm_online(self.folder, coi.paths, coi.settings, coi.keys, told)
        except CoiError as error:
            trouble = str(error)
        self.busy = ""
        self._show()
        if trouble:
            self.say(trouble)

    # -- showing --------------------------------------------------------------------------------------------------

    def on_resize(self, event: events.Resize) -> None:
        if not self.busy:
            self.call_after_refresh(self._show)

    def _show(self, at: int | None = None) -> None:
        if not self.composed:
            return
        here = at if at is not None else self.lines.highlighted or 0
        self.lines.show([_line(row, self.lines.room) for row in self.folder.rows], here)
        self.query_one("#header", Line).say("Import PDFs", self._counts())
        key = self.named_action("ask").show
        self.query_one("#sends", Static).update(
            Content(f"{key} asks: {said}" if (said := self.sends()) else "Nothing is sent.")
        )
        self.say("")
        self._about()

    def _counts(self) -> str:
        """``5 PDFs, 2 sure, 1 to decide``."""
        words = (
            (("sure", "title"), "sure"),
            (("ask",), "to decide"),
            (("new", "known"), "imported"),
        )
        parts = [
            f"{n} {word}"
            for states, word in words
            if (n := sum(row.state in states for row in self.folder.rows))
        ]
        return ", ".join([count(len(self.folder.rows), "PDF"), *parts])

    def on_option_list_option_highlighted(self, event: OptionList.OptionHighlighted) -> None:
        self._about()

    def on_option_list_option_selected(self, event: OptionList.OptionSelected) -> None:
        """A click goes to a row; Enter is an action of its own."""
        self._about()

    def _about(self) -> None:
        row = self.row
        if row is not None:
            self.about_pane.show(str(self.at), row.name, _parts(row))
        self.refresh_footer()

    # -- decisions ------------------------------------------------------------------------------------------------

    def off(self, name: str) -> str:
        if not self.composed or name not in ("all", "choose", "name", "as_is", "out"):
            return ""
        if self.busy:
            return self.busy
        if name == "all":
            return "" if self.folder.of("sure", "title") else "no row is sure"
        return self._off_row(name)

    def _off_row(self, name: str) -> str:
        row = self.row
        if row is None:
            return "there is no row"
        if row.read is None:
            return "it is imported" if row.paper is not None else row.why.rstrip(".")
        if name == "choose" and row.state not in ("sure", "title") and not row.near:
            return "there is no suggestion; t types which paper it is"
        return ""

    async def do_all(self) -> None:
        for n in self.folder.of("title"):
            self.folder.take_as_told(n)
        await self._keep(None)

    async def do_choose(self) -> None:
        at, row = self.at, self.row
        assert at is not None
        assert row is not None
        if row.state in ("sure", "title"):
            await self._decided(at, lambda: self.folder.take_as_told(at))
        elif len(row.near) == 1:
            await self._decided(at, lambda: self.folder.take(at))
        else:
            from coi_tui.screens.home.seed_papers import PaperChoiceSheet

            papers = tuple(offer.paper for offer in row.near)
            self.app.push_screen(
                PaperChoiceSheet(row.title or row.name, papers), partial(self._chosen, at, papers)
            )

    async def _chosen(self, at: int, papers: tuple[Paper, ...], paper: Paper | None) -> None:
        if paper is not None:
            await self._decided(at, lambda: self.folder.take(at, papers.index(paper)))

    def do_name(self) -> None:
        at, row = self.at, self.row
        assert at is not None
        assert row is not None
        sheet = NamePdfSheet(
            f"Which paper is {cut(row.name, 40)}?",
            "It is looked for among the papers known here; nothing is sent.",
        )
        self.app.push_screen(sheet, partial(self._named, at))

    async def _named(self, at: int, said: str | None) -> None:
        if said:
            await self._decided(at, lambda: self.folder.name(at, said))

    async def do_as_is(self) -> None:
        at = self.at
        assert at is not None
        await self._decided(at, lambda: self.folder.as_it_is(at))

    def do_out(self) -> None:
        assert self.at is not None
        self.folder.leave_out(self.at)
        self._show(self._next(self.at))

    async def _decided(self, at: int, decide: Callable[[], None]) -> None:
        """Decide on a row and keep that alone."""
        try:
            decide()
        except CoiError as error:
            self.trouble(error)
            return
        await self._keep(at)

    async def _keep(self, at: int | None) -> None:
        """Import one row, or all that are sure."""
        try:
            await asyncio.to_thread(self.folder.keep, titles=False, only=at)
        except CoiError as error:
            self.trouble(error)
        self._show(self._next(at))

    def _next(self, at: int | None) -> int:
        """The next row that waits for a decision, else the one where the cursor is."""
        waiting = self.folder.of("ask", "title", "sure")
        here = at if at is not None else 0
        return next((n for n in waiting if n >= here), waiting[0] if waiting else here)

    def leave(self) -> None:
        self.dismiss(summary(self.folder.rows))


def _line(row: PdfRow, width: int) -> Content:
    """State, file, and what it is taken for or why not."""
    left = f"{WORDS[row.state]:9}  {fit(row.name, max(16, width // 4))}  "
    said = (
        row.paper.title if row.paper is not None and row.state != "twin" else row.title or row.why
    )
    text = cut(left + cut(said, max(8, width - cell_len(left))), width)
    return (
        Content.styled(text, "dim")
        if row.state in ("out", "twin", "unread", "before")
        else Content(text)
    )


def _parts(row: PdfRow) -> list[tuple[str, str]]:
    parts = []
    if row.paper is not None:
        authors = ", ".join(row.paper.authors[:4]) + (
            " and others" if len(row.paper.authors) > 4 else ""
        )
        facts = (
            row.paper.title,
            f"{row.paper.year or 'no year'}, {row.paper.id}",
            authors,
            row.how,
        )
        parts.append(("PAPER", "\n".join(fact for fact in facts if fact)))
    if row.why:
        parts.append(("WHY", row.why))
    if row.near:
        parts.append(("SUGGESTIONS", "\n".join(row.offers)))
    if row.title and row.paper is None:
        parts.append(("ITS TITLE MAY BE", row.title))
    return parts

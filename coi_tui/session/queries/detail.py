"""What there is to read at an address, with what the session knows beside its document; and the texts
of all rows made ready to be searched."""

from __future__ import annotations

import asyncio
import contextlib
import unicodedata
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from coi_tui.engine.declarations import CellKind
from coi_tui.literature.title_match import normalise_title
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import cell_ref, of_session, place
from coi_tui.model.document import Block, Listing, Paragraph, bulleted, listing, section
from coi_tui.model.entries import Version
from coi_tui.model.errors import ServiceError, UsageError, in_full
from coi_tui.model.papers import Paper
from coi_tui.model.state import State, version_name
from coi_tui.model.text import day, sentence
from coi_tui.present.bibliography import unverified_in
from coi_tui.present.cells import NOTHING_MADE, document
from coi_tui.present.idea_similarity import (
    Measure,
    by_vectors,
    by_words,
    compared_texts,
    idea_similarity,
    twin,
)
from coi_tui.present.plain_text import HeadedText, parts
from coi_tui.services.llm.sentence_vectors import SentenceVectors, folder_of, missing
from coi_tui.session.core import SessionCore
from coi_tui.session.queries.history import proposed
from coi_tui.session.wording import Row, note, origin_of

PROPOSED = "Proposed, and not used before you take it"
SAME_AS = "Says the same as another (similarity by words); I asks for a different text"


@dataclass(frozen=True)
class Detail:
    """A cell as a document under a title of one line."""

    address: str
    title: str
    blocks: tuple[Block, ...]
    papers: Mapping[str, Paper]
    """Those of the session, which its texts may cite."""

    @cached_property
    def parts(self) -> tuple[HeadedText, ...]:
        """As headings with text below; an empty heading is running text."""
        return tuple(parts(self.blocks, self.papers))


def detail_at(core: SessionCore, address: str, version: int | None = None) -> Detail:
    """What there is to read at an address; with ``version`` what stood or stands beside it. Nothing
    is changed by looking. Raises UsageError for a version that is not there."""
    state = core.state
    if version is not None:
        if version not in state.cell(address).versions:
            raise UsageError(f"{address} has no version {version}.")
        return _detail(state.showing(address, version), core.methods, address)
    found, before = _detail(state, core.methods, address), list[Block]()
    if check := failed_check(core, address):
        before.append(section("Last check failed", check))
    if offers := proposed(state, address):
        before.append(bulleted(PROPOSED, offers))
    if same := twin(state, address):
        before.append(section(SAME_AS, same))
    alike = idea_similarity(state) if cell_ref(address) == of_session("arena") else ()
    return replace(found, blocks=(*before, *found.blocks, *alike))


def twin_of(core: SessionCore, address: str) -> str:
    """What says the same as a text."""
    return twin(core.state, address)


def failed_check(core: SessionCore, address: str) -> str:
    """When and why a check failed after the novelty report in use was made; empty where none
    did."""
    if (failure := core.failed_checks.get(address)) is None:
        return ""
    cause = sentence(in_full(failure))
    return f"{day(failure.time)}: {cause} The report below is the one before it."


async def measured_similarity(core: SessionCore) -> list[Measure]:
    """How alike the ideas are: by words, and by sentence vectors where their model is here, which
    takes a while. A model that cannot be used is left out."""
    state, settings = core.state, core.settings.vectors
    found, folder = [await asyncio.to_thread(by_words, state)], folder_of(settings, core.paths.data)
    if found[0] and settings.use is not False and not missing(folder):
        model = SentenceVectors(folder)
        with contextlib.closing(model), contextlib.suppress(ServiceError):
            vectors = await model.embed(compared_texts(state))
            found.append(by_vectors(state, vectors, "sentence vectors"))
    return [one for one in found if one]


def document_at(core: SessionCore, address: str) -> tuple[Block, ...]:
    """What a cell shows of itself, without what the session knows beside it."""
    return tuple(document(core.state, core.methods.kind(address), address))


def listing_at(core: SessionCore, address: str) -> Listing | None:
    """The table or transcript that opens on a screen of its own; None where there is none, or
    nothing was made that a person could look at or begin."""
    kind = core.methods.kind(address)
    if kind.content is None:
        return None
    made = core.state.in_use(address) is not None
    return listing(document_at(core, address)) if made or not kind.task else None


def has_view(core: SessionCore, address: str) -> bool:
    """Whether a screen of its own opens on the cell."""
    kind = core.methods.kind(address)
    if kind.view == "wall":
        return True
    if kind.view:
        return core.state.in_use(address) is not None
    return listing_at(core, address) is not None


def _detail(state: State, methods: SessionMethods, address: str) -> Detail:
    """Says so where nothing has been made yet."""
    if address in state.instances and (method := methods.of_instance(address)):
        reached = method.reached(state)
        come = Paragraph(f"Stage reached: {reached}." if reached else NOTHING_MADE)
        title, blocks = f"{address}  {method.name}", list[Block]()
        blocks += [come, section("Stages", ", ".join(method.stages))]
    else:
        kind = methods.kind(address)
        title, blocks = _title(state, kind, address), list(_of_cell(state, methods, address))
    if note := state.notes.get(address):
        blocks.append(section("Note (you)", note))
    shown = tuple(blocks) or (Paragraph(NOTHING_MADE),)
    return Detail(address, title, shown, state.papers)


def _of_cell(state: State, methods: SessionMethods, address: str) -> Iterator[Block]:
    """Its document; of a chain's first paper that of the chain as well; then works that its text
    names and nobody knows, and the model's reasoning."""
    kind = methods.kind(address)
    yield from document(state, kind, address)
    at = cell_ref(address)
    if at.form == "place" and at.pos == 0 and at in state.held_papers():
        yield from document(state, methods.kind(str(at.branch)), str(at.branch))
    version = state.in_use(address)
    if version is None:
        return
    yield from _unverified(state, kind, version)
    for text in reasoned(version):
        yield section("Reasoning (before the answer, no part of it)", text)


def _unverified(state: State, kind: CellKind, version: Version) -> Iterator[Block]:
    """Works that a text names and that are no papers of this session; what a summary says of a
    paper is not asked about."""
    if kind.content is None or not kind.editable or kind.role in ("summary", "question"):
        return
    content = state.content(version, kind.content)
    texts = [text for _, text in parts(kind.fields_document(state, version.address))]
    known = str(state.value("topic#text") or ""), getattr(content, "title", "")
    own = frozenset(map(normalise_title, known))
    if found := unverified_in(texts, state, own, [getattr(content, "nearest", "")]):
        yield bulleted("Unverified (named in this text)", found)


def reasoned(version: Version) -> Iterator[str]:
    """What the model wrote of its reasoning before each of the answers that a version was made
    from."""
    draft = version.recipe.get("draft")
    for recipe in (draft if isinstance(draft, Mapping) else {}, version.recipe):
        if text := str(recipe.get("reasoning") or ""):
            yield text


def _title(state: State, kind: CellKind, address: str) -> str:
    at = cell_ref(address)
    if held := state.held(at):
        return f"{address}  {held.role.capitalize()} of branch {at.branch}, {held.verdict}"
    version = state.in_use(address)
    made = ""
    if version:
        made = f"  {version_name(state, address, version.seq)}, {origin_of(version).value}"
    between = f" between {place(at.pos)} and {place(at.newer)}" if at.form == "pair" else ""
    return f"{address}  {kind.title}{between}{made}"


# -- searching it


@dataclass(frozen=True)
class RowMatch:
    """A row that says the words. ``where`` names the part, such as ``CARD``; empty for its title
    and its address."""

    address: str
    where: str


OF_CARDS: Mapping[str, tuple[str, ...]] = {
    "mechanism": ("move", "method"),
    "evaluation": ("evidence", "experiment"),
}
"""The parts of a card that say what a facet of an idea says."""


@dataclass(frozen=True)
class Index:
    """The folded texts of every row, in the order of the tree. ``seq`` is the state that they were
    taken from."""

    seq: int
    texts: tuple[tuple[str, tuple[tuple[str, str], ...]], ...]

    def find(self, words: str, named: str = "") -> list[RowMatch]:
        """The rows that hold the words (as they stand, upper and lower case alike), from the top,
        and the one whose address they are. ``mechanism: words`` are sought in parts of that
        name."""
        wanted = folded(words)
        if not wanted:
            return []
        part, _, rest = wanted.partition(":")
        names = {folded(name) for _, parts in self.texts for name, _ in parts}
        only = {part, *OF_CARDS.get(part, ())} & names if rest else set()
        wanted = rest.strip() if only else wanted
        found = []
        for address, texts in self.texts:
            hits = (n for n, s in texts if wanted in s and (not only or folded(n) in only))
            where = next(hits, "" if address == named else None)
            if where is not None:
                found.append(RowMatch(address, where))
        return found


def search_index(core: SessionCore, rows: Sequence[Row]) -> Index:
    """Every text of these rows, ready to be searched. For a worker thread: the state does not
    change under it. Rows that only point at others (a branch, the arena) give what their own line
    says."""
    state, methods = core.state, core.methods
    return Index(state.seq, tuple((row.address, _parts(state, methods, row)) for row in rows))


def _parts(state: State, methods: SessionMethods, row: Row) -> tuple[tuple[str, str], ...]:
    line = ("", folded(f"{row.label} {row.title} {row.year or ''} {note(row)}"))
    if cell_ref(row.address).form == "branch":
        return (line,)
    shown = _detail(state, methods, row.address).parts
    return (line, *((heading or "its text", folded(text)) for heading, text in shown))


def folded(text: str) -> str:
    """Text as it is compared: no difference of case, width or composition; runs of blanks are
    one."""
    return " ".join(unicodedata.normalize("NFKC", text).casefold().split())

"""The papers of a session and those that it might add: found by an id, a URL or a title, and read
with the passages that a card was drawn from.

What fits several papers is not guessed. An arXiv id that the chosen source does not know is asked
of arXiv.
"""

from __future__ import annotations

import asyncio
import math
from collections.abc import AsyncIterator, Callable, Iterable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass

from coi_tui.config import Keys, Settings
from coi_tui.literature.citations import meant_by as meant_by
from coi_tui.literature.ids import Id, known_ids, normalise_id, paper_url, pdf_urls, with_id
from coi_tui.literature.paper_records import fill_gaps, merge_papers
from coi_tui.literature.ranking import rank
from coi_tui.literature.sections import (
    Reference,
    TextSection,
    find_passage,
    references,
    section_at,
    sections,
)
from coi_tui.literature.title_match import near_titles, normalise_title
from coi_tui.methods.base.cell_table import stored
from coi_tui.methods.chain.chains import Chains
from coi_tui.methods.chain.slots import SUMMARY, slot_of
from coi_tui.methods.ideas.kinds import CARD_FIELDS
from coi_tui.methods.services import ServiceSet
from coi_tui.model.address import attached_to, cell_ref
from coi_tui.model.content import CardContent
from coi_tui.model.entries import pdf_key
from coi_tui.model.errors import ServiceError, UsageError
from coi_tui.model.papers import Paper
from coi_tui.model.text import count, joined, listed
from coi_tui.paths import Paths
from coi_tui.services.pdf.full_text import shows_paper
from coi_tui.services.sources.source_fallback import SourcesInOrder
from coi_tui.services.sources.source_registry import (
    id_services,
    services_in_order,
    source_names,
    spec_of,
    title_services,
)
from coi_tui.services.sources.starter import bundled_library
from coi_tui.session.core import SessionCore
from coi_tui.session.environment import Environment
from coi_tui.session.papers.library import known_paper
from coi_tui.session.papers.own_links import LINKS_OF, LinkRow
from coi_tui.session.papers.own_papers import (
    FindId,
    OwnPdf,
    PdfRead,
    changing,
    own_papers,
    own_text,
    read_pdf,
    typed_path,
)
from coi_tui.session.service_setup import open_services
from coi_tui.session.settings import OFFLINE, setup_of
from coi_tui.store.library_file import LibraryFile

SHOWN, SEARCHED, LEAST_FIT = 8, 20, 0.1
"""Titles that are near; papers that fit words, also of a service, at most; the least fit."""
HINT = "Give a DOI, an arXiv id, a part of the title or other words"
NOT_SHOWN = "Its first page does not show this title; undo reverses it if it is another paper."


@dataclass(frozen=True)
class LookupResult:
    """``papers`` that may be meant; ``sure`` when there is one and the id or the whole title says
    so. ``read_as``: id, title or words.

    ``fits``: the similarity of papers to these words, 0 to 1.
    """

    papers: tuple[Paper, ...]
    sure: bool
    read_as: str
    fits: Mapping[str, float]


@dataclass(frozen=True)
class Mark:
    """A field of the card with the piece of the text it was drawn from: characters ``start`` to
    ``end``, both 0 where none was found."""

    field: str
    text: str
    start: int = 0
    end: int = 0
    where: str = ""

    @property
    def found(self) -> bool:
        return self.end > self.start


@dataclass(frozen=True)
class PaperReading:
    """A paper's text with its parts. ``kind`` says what it is, ``note`` where it comes from or why
    there is no more.
    """

    paper: Paper
    kind: str
    text: str
    note: str
    sections: tuple[TextSection, ...]
    references: tuple[Reference, ...]
    url: str | None


class OwnTexts:
    """The own papers to be read where no session is."""

    def __init__(self, paths: Paths) -> None:
        self._paths = paths

    def read(self, paper: Paper) -> PaperReading:
        """The text of its PDF, else its abstract. Reads files: call it off the event loop."""
        own = own_text(self._paths, paper)
        return _reading(paper, own, lambda: _abstract(paper, "there is no PDF of it here"))

    def passages(self, address: str, reading: PaperReading) -> list[Mark]:
        """None: without a session there is no card."""
        return []


def _reading(
    paper: Paper, own: OwnPdf | None, other: Callable[[], tuple[str, str, str]]
) -> PaperReading:
    """What there is to read: the text of a PDF of one's own, or else kind, text and note of what
    ``other`` finds."""
    kind, text, note = ("full text", own.text, own.origin) if own else other()
    refs = references(text) if kind == "full text" else ()
    url = paper.url or paper_url(known_ids(paper))
    return PaperReading(paper, kind, text, note, sections(text), refs, url)


def _abstract(paper: Paper, why: str) -> tuple[str, str, str]:
    """Kind, text and note of an abstract, with the reason why there is no more."""
    if not paper.abstract:
        return "none", "", f"there is nothing to read here: {why}"
    return paper.abstract_kind, paper.abstract, f"only the {paper.abstract_kind} is here: {why}"


class Papers:
    """The papers of a session and those that it might add."""

    def __init__(self, core: SessionCore) -> None:
        self._core = core

    # -- looking up

    def find(self, text: str) -> Paper:
        """The one paper meant, for callers without an event loop. Raises UsageError when nothing
        fits, or when several do, naming them."""
        answer = asyncio.run(self.look_up(text))
        if not answer.sure:
            titles = "; ".join(p.cited for p in answer.papers[:SHOWN])
            raise UsageError(
                f"No paper has just this title; the nearest: {titles}.",
                "Give the id of one of them.",
            )
        return answer.papers[0]

    async def look_up(self, text: str) -> LookupResult:
        """Papers for an id, URL, title or words: in this session, the library, the starter library,
        or online unless offline.

        An id means one paper. A title means the papers of exactly that title; what is none means the
        nearest titles and the papers about it. Raises UsageError when nothing fits.
        """
        core, typed = self._core, " ".join(text.split())
        online = setup_of(core.settings, core.keys, core.offline).online_source
        hint = f"{HINT}." if online else f"{HINT}. {self.lookup_disclosure()}"
        if not typed:
            raise UsageError("Nothing was given to look for.", f"{HINT}.")
        if pair := normalise_id(typed):
            found = with_id(core.state.papers.values(), pair)
            if found is None:
                async with id_lookup(core.env, offline=core.offline) as find:
                    found = await find(pair)
            if found is None:
                raise UsageError(f"No paper was found for {pair[0]} {pair[1]}.", hint)
            return LookupResult((found,), True, f"{pair[0]} id", {})
        pool = [*core.state.papers.values(), *await asyncio.to_thread(_papers_here, core.paths)]
        answer = _by_words(typed, pool)
        if not answer.sure and online:
            answer = _by_words(typed, [*pool, *await self._titles_online(typed)])
        if not answer.papers:
            raise UsageError(f"No paper was found for the words “{typed[:80]}”.", hint)
        return answer

    async def _titles_online(self, typed: str) -> Sequence[Paper]:
        async with open_services(self._core.env, offline=self._core.offline) as services:
            source = services.source_for(services.fetch)
            match = await source.match(typed, None)
            return [match] if match else (await source.search(typed, SEARCHED)).papers

    def lookup_disclosure(self) -> str:
        """What a look-up would send, and to whom, in one sentence. Asks nobody."""
        return lookup_disclosure(self._core.settings, self._core.keys, self._core.offline)

    # -- PDFs

    async def read_pdf(self, typed: str) -> PdfRead:
        """Read the PDF that a typed path means, in a process of its own. Raises UsageError, in one
        sentence, where it cannot be."""
        return await read_pdf(await asyncio.to_thread(typed_path, typed))

    def attach_doubt(self, address: str, read: PdfRead) -> str:
        """A sentence where a PDF does not look like the paper at an address; empty where it does.
        It is attached all the same: the researcher knows."""
        state = self._core.state
        paper = state.papers[state.held_papers()[cell_ref(slot_of(address))]]
        return "" if shows_paper(read.looked, paper) else NOT_SHOWN

    # -- reading

    def read(self, paper: Paper) -> PaperReading:
        """What was read of a paper in this session, else its abstract. Reads the file: call it off
        the event loop."""
        return _reading(paper, self._own(paper), lambda: self._fetched(paper))

    def _fetched(self, paper: Paper) -> tuple[str, str, str]:
        """Kind, text and note of the full text among the calls of the session, else of the abstract
        with the reason."""
        urls, reasons = pdf_urls(paper), list[str]()
        for call in reversed(self._core.file.calls(replies=True)):
            if call.kind == "text" and call.request.get("pdf") in urls:
                note = str(call.reply.get("note") or "")
                if call.reply.get("kind") == "full text":
                    origin = joined("; ", f"from {call.request['pdf']}", note)
                    return "full text", str(call.reply.get("text", "")), origin
                reasons.append(note)
        unasked = "its PDF was not asked for yet" if urls else "no open PDF is known"
        return _abstract(paper, "; ".join(dict.fromkeys(filter(None, reasons))) or unasked)

    def _own(self, paper: Paper) -> OwnPdf | None:
        """The researcher's own PDF: the one attached here, else the one in their library."""
        attached = Chains.of(self._core.state).attached.get(paper.id)
        key = pdf_key(attached["pdf"], "attached") if attached else ""
        call = self._core.file.find_call(key) if key else None
        if call is None:
            return own_text(self._core.paths, paper)
        file, text, note = (str(call.reply.get(n) or "") for n in ("file", "text", "note"))
        return OwnPdf(file, "", text, note)

    def passages(self, address: str, reading: PaperReading) -> list[Mark]:
        """The fields of the card at a slot, each with its passage. Takes time on long texts: call
        it off the event loop."""
        if not address:
            return []
        out = []
        card = stored(self._core.state, attached_to(address, SUMMARY), CardContent)
        for name in CARD_FIELDS:
            value = getattr(card, name)
            if isinstance(value, str) and value.strip():
                found = find_passage(reading.text, value)
                where = section_at(reading.sections, found[0]).shown if found else ""
                out.append(Mark(name, value, *(found or (0, 0)), where))
        return out


def _by_words(typed: str, pool: Iterable[Paper]) -> LookupResult:
    """The papers of just this title; else those whose titles are near, then those that fit the
    words best."""
    wanted, papers = normalise_title(typed), merge_papers(pool)
    if exact := tuple(p for p in papers if normalise_title(p.title) == wanted):
        return LookupResult(exact[:SHOWN], len(exact) == 1, "title", {})
    ranked = [one for one in rank(typed, papers)[:SEARCHED] if one[0] >= LEAST_FIT]
    near = {p.id: p for p in (*near_titles(typed, papers)[:SHOWN], *(p for _, p in ranked))}
    fits = {p.id: fit for fit, p in ranked}
    return LookupResult(tuple(near.values()), False, "a title or words", fits)


def _papers_here(paths: Paths) -> list[Paper]:
    return [*own_papers(paths), *bundled_library().papers.values()]


@asynccontextmanager
async def id_lookup(env: Environment, *, offline: bool) -> AsyncIterator[FindId]:
    """Finds papers by their ids: among the own papers, in the starter library and in that of all
    sessions; unless offline, at the chosen source, then at those that know such ids (arXiv)."""
    settings, keys = env.settings, env.keys
    pool = await asyncio.to_thread(_papers_here, env.paths)
    here = {pair: paper for paper in reversed(pool) for pair in known_ids(paper).items()}
    async with AsyncExitStack() as stack:
        services: ServiceSet | None = None

        async def find(pair: Id) -> Paper | None:
            nonlocal services
            known = here.get(pair) or await asyncio.to_thread(known_paper, env.paths, pair)
            if known or not setup_of(settings, keys, offline).online_source:
                return known
            if services is None:
                services = await stack.enter_async_context(open_services(env, offline=offline))
            name = f"{pair[0]}:{pair[1]}"
            (found,) = await services.source_for(services.fetch).papers([name])
            for other in id_services(pair[0], settings, keys):
                if found is None:
                    async with other.connect() as fetch:
                        (found,) = await other.source(fetch, env.today).papers([name])
            return found

        yield find


HERE = "looked up only on this machine; nothing leaves it."


def lookup_disclosure(settings: Settings, keys: Keys, offline: bool) -> str:
    """Who is sent an id, an address or a title that is looked up and not known here, in one
    sentence. Asks nobody."""
    setup = setup_of(settings, keys, offline)
    if not setup.online_source:
        why = "Offline" if setup.why == OFFLINE else "No online source is set up"
        return f"{why}: {HERE}"
    first, *others = [service.spec.title for service in services_in_order(settings, keys)]
    then = [f"where it is unreachable or has nothing, {title} too" for title in others]
    schemes = dict.fromkeys(scheme for name in source_names() for scheme in spec_of(name).ids)
    last = {
        service.spec.name: f"{service.spec.title} gets {service.spec.sends}"
        for scheme in schemes
        for service in id_services(scheme, settings, keys)
    }
    if last:
        then.append(f"if nothing is found, {listed(list(last.values()))}")
    return f"{'; '.join([f'What is not known here is sent to {first}', *then])}."


TOGETHER, CITING = 50, 100
"""Own papers whose links are asked for together, and papers that cite one that are taken."""


def links_disclosure(env: Environment, papers: Sequence[Paper]) -> str:
    """What asking for the links of own papers sends, to whom, and what it costs. Asks nobody."""
    services = services_in_order(env.settings, env.keys)
    registries = title_services(env.settings, env.keys)
    number = len(papers) + 4 * math.ceil(len(papers) / TOGETHER)
    dois = sum("DOI" in known_ids(paper) for paper in papers)
    names = ", then ".join(f"{one.spec.title} ({one.spec.price})" for one in services)
    notices = [f"{count(dois, 'DOI')} to {r.spec.title}" for r in registries]
    sent = [f"The ids of {count(len(papers), 'paper')} to {names}, in about {number} requests"]
    return f"{'; '.join([*sent, *notices])}. Nothing else leaves this machine."


async def ask_links(env: Environment, papers: Sequence[Paper]) -> AsyncIterator[str]:
    """Ask the sources which papers some own papers cite and are cited by, and what was published
    about these since; fill in what they lack, and store it in the library. A line for each
    ``TOGETHER``, of which none is lost where a later one fails. Raises ServiceError, StoreError."""
    async with open_services(env, offline=False) as services:
        order, registries = (
            [one.source(services.fetch, env.today) for one in some(env.settings, env.keys)]
            for some in (services_in_order, title_services)
        )
        source = SourcesInOrder(order, registries=registries)
        for start in range(0, len(papers), TOGETHER):
            part = papers[start : start + TOGETHER]
            records = await source.papers([paper.id for paper in part])
            fuller = {p.id: fill_gaps(p, r) if r else p for p, r in zip(part, records, strict=True)}
            try:
                fuller |= {p.id: p for p in await source.noticed([*fuller.values()])}
            except ServiceError as error:
                yield f"Nobody could be asked for retractions. {error.message}"
            await asyncio.to_thread(_fill_in, env.paths, fuller)
            lists = await source.reference_lists([*fuller.values()])
            cited = dict.fromkeys(one for cites in lists.lists.values() for one in cites)
            found = [*filter(None, await source.papers([*cited]))]
            evidence = f"listed by {lists.source}, read {env.today()}"
            for paper in part:
                citing = await source.citations(fuller[paper.id], CITING)
                rows = [(paper.id, one, evidence) for one in lists.lists.get(paper.id, ())]
                rows += [(one.citing, one.cited, one.evidence) for one in citing.links]
                await asyncio.to_thread(_keep, env.paths, paper, [*found, *citing.papers], rows)
                found = []
            yield f"{start + len(part)} of {len(papers)} asked"


def _fill_in(paths: Paths, fuller: Mapping[str, Paper]) -> None:
    """Give the own papers what their fuller records say."""
    with changing(paths) as own:
        own[:] = [fill_gaps(p, fuller[p.id]) if p.id in fuller else p for p in own]


def _keep(paths: Paths, paper: Paper, ends: Sequence[Paper], rows: Sequence[LinkRow]) -> None:
    """Store the links of an own paper with the papers at their ends."""
    with LibraryFile(paths.library) as library:
        library.remember_papers(ends)
        library.remember_reply(f"{LINKS_OF}{paper.id}", rows)

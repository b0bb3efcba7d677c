"""The proposal as a document: a main part of at most four pages, and an appendix of all that it
rests on, for any session (COI-16)."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from coi_tui.literature.citations import citations_in, marks_in
from coi_tui.methods.base.cell_table import passage, stored
from coi_tui.methods.chain.chains import Chains
from coi_tui.model.address import NEWS, READING, Branch, cell_at, cell_ref
from coi_tui.model.content import (
    ExperimentPlan,
    IdeaContent,
    NoveltyReport,
    ProposalContent,
    RivalsContent,
)
from coi_tui.model.document import (
    Block,
    Manuscript,
    Paragraph,
    Passage,
    ProposalWarning,
    Section,
    Table,
    bulleted,
    every_block,
)
from coi_tui.model.entries import Version
from coi_tui.model.proposals import assembled, sections
from coi_tui.model.state import State
from coi_tui.model.text import count, day, joined
from coi_tui.present.bibliography import Bibliography, Mention, looked_up, own_words
from coi_tui.present.cells import ranking_blocks, verdict_text
from coi_tui.present.chain_picture import chains_behind
from coi_tui.present.idea_similarity import idea_similarity
from coi_tui.present.snapshot import (
    RECORDED,
    ProposalOptions,
    SessionSnapshot,
    counted,
    how_made,
    warning_lines,
    warnings_of,
)

NOT_MADE = Paragraph("Not made yet.")
WORKSHEET = "The built-in drafter quotes the papers' cards by rule and leaves places to write over; this is no considered proposal."
ROWS_SHOWN = 100
"""Rows of a table in an export."""


@dataclass(frozen=True)
class ReferenceList:
    """The papers cited since the last such list, and ``also`` these; ``empty`` where there are
    none. ``unconfirmed``: works that no paper of the session is, with what asking for them came
    to."""

    also: tuple[str, ...] = ()
    empty: str = ""
    unconfirmed: tuple[str, ...] = ()


@dataclass(frozen=True)
class ChainPicture:
    """The chain of a branch, for formats that show pictures."""

    state: State
    branch: Branch


ExportBlock = Block | ReferenceList | ChainPicture


class Proposal:
    """What a session says in its proposal; the bibliography grows while the document is
    rendered."""

    def __init__(self, snapshot: SessionSnapshot, options: ProposalOptions | None) -> None:
        self.snapshot, self.options = snapshot, options or ProposalOptions()
        self.state, self.branch = snapshot.state, snapshot.branch
        self.bibliography = Bibliography(
            self.state.papers, looked_up(self.state), snapshot.own_keys
        )
        one = [self.branch] if self.branch and not self.options.every_idea else None
        self.shown: list[Branch] = one or self.state.branches
        """Branches shown in full: that of the chosen idea; all of them while there is none, or
        where every idea is asked for."""
        self.method = snapshot.methods.document(self.state, self.shown)
        """What the methods add."""

    def sections(self) -> list[Section]:
        """The whole document below its title."""
        found = tuple(work.paper for work in self.named if work.paper)
        missing = tuple(work.in_words for work in self.named if not work.paper)
        references = ReferenceList(found, "No paper is cited yet.", missing)
        parts = [*self.main, _section("References", references)]
        if self.options.appendix:
            works = tuple(work.paper for work in self.works if work.paper)
            further = _section(
                f"A.{len(self.appendix) + 1} Further references", ReferenceList(works)
            )
            appendix = (
                replace(part, title=f"A.{n} {part.title}")
                for n, part in enumerate(self.appendix, start=1)
            )
            you = Paragraph("In these parts “you” is the researcher who made the session.")
            parts.append(_section("Appendix", you, *appendix, further))
        return parts

    # -- above the sections

    @property
    def title(self) -> str:
        """The title of the proposal or the idea, else what the session is about."""
        if self.manuscript:
            return self.manuscript.title
        if self.written and (title := self.state.content(self.written, ProposalContent).title):
            return title
        if self.branch is not None and self.state.in_use(cell_at(self.branch, "idea")):
            return self.title_of(self.branch)
        return str(self.state.value("topic#text") or self.snapshot.name or "Untitled session")

    def title_of(self, branch: Branch) -> str:
        idea = stored(self.state, cell_at(branch, "idea"), IdeaContent)
        return idea.title or f"Idea {branch} (no title yet)"

    @property
    def opening(self) -> str:
        """When and how it was made, and what a reader has to know of it; what is open is the
        author's."""
        unconfirmed, cited = [work.name for work in self.named if not work.paper], ""
        if unconfirmed:
            works = count(len(unconfirmed), "cited work")
            cited = f"{works} could not be confirmed: {'; '.join(unconfirmed)}."
        made = f"Made with {self.snapshot.method} on {day(self.snapshot.exported_at)}."
        counts, worksheet = self.snapshot.origins, ""
        if counts["recorded"]:
            worksheet = RECORDED
        elif counts["drafter"]:
            some = counts["model"] or counts["scripted"]
            which = "some of the texts" if some else "every generated text"
            worksheet = f"Worksheet, drafted without a language model: {which}. {WORKSHEET}"
        return joined(" ", worksheet, made, cited)

    @property
    def still_open(self) -> str:
        """How many warnings and marks of each kind there are, and how much is to be decided."""
        counts = counted([one for one in self.warnings if one.kind != "Undecided"])
        waits = f"{n} to decide" if (n := self.snapshot.to_decide) else ""
        found = joined("; ", waits, counts)
        return f"Open: {found}." if found else "Every part is complete, up to date and decided."

    @property
    def warning_lines(self) -> list[str]:
        return warning_lines(self.snapshot, self.warnings)

    @cached_property
    def warnings(self) -> list[ProposalWarning]:
        unverified = [work for work in self.works if work.paper is None]
        return warnings_of(self.snapshot, self.shown, self.method.warnings, unverified)

    # -- the main part

    @cached_property
    def written(self) -> Version | None:
        """The proposal of the chosen idea."""
        return self.state.in_use(cell_at(self.branch, "proposal")) if self.branch else None

    @cached_property
    def manuscript(self) -> Manuscript | None:
        """The method's own manuscript about the chosen idea, where no proposal was written."""
        found = (one for one in self.method.manuscripts if one.branch == self.branch)
        return next(found, None) if self.written is None else None

    @cached_property
    def main(self) -> list[Section]:
        """The proposal, else the method's manuscript, else idea and plan as they are."""
        branch, state = self.branch, self.state
        idea = state.in_use(cell_at(branch, "idea")) if branch is not None else None
        if written := self.written:
            content = state.content(written, ProposalContent)
            like = Passage(written.address, "", written.origin)
            return self._sections(sections(content.text), like)
        if own := self.manuscript:
            head = [_section("In short", own.abstract)] if own.abstract else []
            return [*head, *own.sections]
        if idea is None:
            where = " What there is of each branch is in the appendix." if state.branches else ""
            none = f" No idea has been chosen.{where}" if branch is None else ""
            return [_section("The idea", Paragraph(f"{NOT_MADE.text}{none}"))]
        parts = assembled(
            state.content(idea, IdeaContent), state.read(cell_at(branch, "exp"), ExperimentPlan)
        )
        return self._sections(parts, Passage(idea.address, "", idea.origin))

    def _sections(self, parts: Iterable[tuple[str, str]], like: Passage) -> list[Section]:
        """Texts under their headings; only the first says that a person wrote it."""
        found: list[Section] = []
        for title, text in parts:
            passage = replace(like, text=text, origin="model" if found else like.origin)
            found.append(_section(title or "The idea", self._cited(passage)))
        return found

    def _cited(self, passage: Passage) -> Passage:
        """A text with a mark after the first mention of each paper of the session: by its title, or
        by authors and year."""
        text, papers, known = passage.text, self.state.papers, self.bibliography
        named = [(t, known.titles.find(t)) for t in known.titles.named_in(text, self._own_words)]
        named += [(cited.text, known.cited.find(cited)) for cited in citations_in(text)]
        named += [(p.title, key) for key, p in papers.items() if len(p.title.split()) > 2]
        places = {
            (found.start(), -found.end()): paper
            for name, paper in named
            if paper and name in text
            for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])[”\"'’]*", text)
        }
        cited = list((dict(passage.cited) | marks_in(text, papers)).items())
        marked = {known.same[paper] for _, paper in cited if paper in papers}
        out, end = "", 0
        for (start, stop), paper in sorted(places.items()):
            if known.same[paper] not in marked and start >= end:
                marked.add(known.same[paper])
                out += f"{text[end:-stop]} [{paper}]"
                end = -stop
                cited.append((f"[{paper}]", paper))
        return replace(passage, text=out + text[end:], cited=tuple(cited))

    # -- the appendix

    @cached_property
    def appendix(self) -> list[Section]:
        """What the proposal rests on; parts of which there is nothing are left out."""
        rated = any(address.startswith("A/") for address in self.snapshot.in_use)
        notes = (
            Section(f"On {self.snapshot.name_of(address)}", (Passage("", text),))
            for address, text in self.state.notes.items()
            if self.options.notes and text.strip()
        )
        parts = [
            _section("From papers to the idea", *self._chains()),
            _section(
                "Warnings",
                Paragraph(self.still_open),
                *bulleted("", self.warning_lines).blocks,
            ),
            *self._rests_on,
            _section("Other ideas", *self._others(), *idea_similarity(self.state)),
            _section("Ratings", *(ranking_blocks(self.state, every=True) if rated else ())),
            _section("The researcher's notes", *notes),
            _section("How this was made", *how_made(self.snapshot, self.method.limits)),
        ]
        return [part for part in parts if part.blocks]

    def _chains(self) -> Iterator[ExportBlock]:
        """The chains behind the ideas shown, as pictures and in words."""
        behind = (b for one in self.shown for b in chains_behind(self.state, one))
        for branch in dict.fromkeys(behind):
            yield ChainPicture(self.state, branch)
            yield from self._blocks_at(str(branch))

    @cached_property
    def _rests_on(self) -> list[Section]:
        """The cells of the session and of the branches shown, each kind of cell in a part of its
        own, in the order of the kinds."""
        groups: dict[tuple[str, Branch], list[ExportBlock]] = {}
        state, methods = self.state, self.snapshot.methods
        session = [a for a in (READING, NEWS) if a in self.snapshot.in_use]
        session += ["X"] if Chains.of(state).shelf else []
        for address in ("topic", *self.method.cells, *session):
            kind, at = methods.kind(address), cell_ref(address)
            if kind.name == "branch" or not (blocks := self._blocks_at(address)):
                continue
            branch = at.branch if at.branch in self.shown and len(self.shown) > 1 else 0
            part = groups.setdefault((kind.title, branch), [])
            name, paper = f"{kind.title} {address}", state.held_papers().get(at, "")
            if paper:
                known = state.papers.get(paper)
                name = f"{address}: {known.short() if known else paper}"
            part.append(Section(name, tuple(_shortened(blocks, kind.role == "rivals")), paper))
        return [
            _section(
                f"{title} of idea {branch}" if branch else title,
                *(part[0].blocks if len(part) == 1 and isinstance(part[0], Section) else part),
            )
            for (title, branch), part in groups.items()
        ]

    def _blocks_at(self, address: str) -> Sequence[Block]:
        """What a cell says; of the topic without the hunch, which is private."""
        if address != "topic":
            return self.snapshot.document(address)
        topic = str(self.state.value("topic#text") or "")
        return (Passage(address, topic),) if topic else ()

    def _others(self) -> Iterator[Section]:
        """Every idea that is not shown in full."""
        for branch in self.state.branches:
            if branch in self.shown:
                continue
            report = self.state.read(cell_at(branch, "nov"), NoveltyReport)
            parked = " (parked by the researcher)" if branch in self.state.parked else ""
            novelty = verdict_text(report) if report else "not searched yet."
            at = cell_at(branch, "idea")
            idea = stored(self.state, at, IdeaContent)
            yield _section(
                f"Idea {branch}: {self.title_of(branch)}{parked}",
                *([Paragraph(f"Made from: {idea.origin}.")] if idea.origin else ()),
                passage(self.state, at, idea.final) if idea.final else NOT_MADE,
                Paragraph(f"Novelty: {novelty}"),
            )

    # -- the works that the texts name

    @cached_property
    def _own_words(self) -> frozenset[str]:
        """What the texts may quote without naming a paper."""
        return own_words(self.state)

    @cached_property
    def works(self) -> list[Mention]:
        """The works that the texts shown name."""
        texts = [
            (block.address, block.text)
            for block in every_block((*self.main, *self._rests_on, *self._others()))
            if isinstance(block, Passage)
        ]
        return self.bibliography.named(texts, self._listed(self.shown), self._own_words)

    @cached_property
    def named(self) -> list[Mention]:
        """The works that the main part names, and where it is idea and plan those that these
        list."""
        texts = [("", one.text) for one in every_block(self.main) if isinstance(one, Passage)]
        listed = self._listed([self.branch]) if self.branch and self.written is None else ()
        return self.bibliography.named(texts, listed, self._own_words)

    def _listed(self, branches: Sequence[Branch]) -> list[tuple[str, str]]:
        """The titles that ideas and plans list, and the works near them that nobody found, from memory
        too, with where."""
        found: list[tuple[str, str]] = []
        for branch in branches:
            idea = stored(self.state, cell_at(branch, "idea"), IdeaContent)
            plan = stored(self.state, cell_at(branch, "exp"), ExperimentPlan)
            found += [(title.strip(), cell_at(branch, "idea")) for title in idea.works]
            found += [(title.strip(), cell_at(branch, "exp")) for title in plan.references]
            near = stored(self.state, cell_at(branch, "rivals"), RivalsContent)
            found += [
                (work.title, cell_at(branch, "rivals")) for work in near.works if not work.paper
            ]
        return found


def _section(title: str, *blocks: ExportBlock) -> Section:
    """A section; besides blocks it may hold what only an export has."""
    return Section(title, blocks)  # type: ignore[arg-type]


def _shortened(blocks: Iterable[Block], only_papers: bool) -> Iterator[Block]:
    """Blocks with at most so many rows in a table. ``only_papers``: without titles from a model's
    memory that no paper has."""
    for block in blocks:
        if not isinstance(block, Table):
            yield block
            continue
        rows = [row for row in block.rows if row.paper or not only_papers]
        yield replace(block, rows=tuple(rows[:ROWS_SHOWN]))
        if len(rows) > ROWS_SHOWN:
            yield Paragraph(f"{len(rows) - ROWS_SHOWN:,} more are in the session.")

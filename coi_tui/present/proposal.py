"""The proposal as a document: a main part of three pages, and an appendix of all that it rests on,
for any session (COI-16)."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator
from dataclasses import replace
from functools import cached_property

from coi_tui.literature.citations import citations_in
from coi_tui.methods.ideas.matches import won_by_one_call
from coi_tui.model.address import READING, Branch, parse_address
from coi_tui.model.content import (
    NO_PASSAGE,
    ExperimentPlan,
    IdeaContent,
    MatchRecord,
    NoveltyReport,
    ProposalContent,
)
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Manuscript,
    Paragraph,
    Passage,
    ProposalWarning,
    Section,
    Strong,
    Table,
    passages,
    plain_table,
)
from coi_tui.model.proposals import assembled, sections
from coi_tui.model.text import day
from coi_tui.present.bibliography import Bibliography
from coi_tui.present.cells import verdict_text
from coi_tui.present.picture import chain_svg
from coi_tui.present.provenance import ORIGINS, RECORDED, how_made, origins
from coi_tui.present.rendering import Figure, Part, ReferenceList
from coi_tui.present.snapshot import ProposalOptions, SessionSnapshot
from coi_tui.present.titles import NamedWork, named_in, named_works, own_words
from coi_tui.present.warnings import warnings_of

NOT_MADE = Paragraph("Not made yet.")
WORKSHEET = "The built-in drafter quotes the papers' cards by rule and leaves places to write over; this is no considered proposal."
ROWS_SHOWN = 100
"""Rows of a table in an export."""


class Proposal:
    """What a session says in its proposal; the bibliography grows while the document is
    rendered."""

    def __init__(self, snapshot: SessionSnapshot, options: ProposalOptions | None = None) -> None:
        self.snapshot, self.options = snapshot, options or ProposalOptions()
        self.state, self.branch = snapshot.state, snapshot.branch
        self.bibliography = Bibliography(self.state.papers)
        one = self.branch is not None and not self.options.every_idea
        self.shown: list[Branch] = [self.branch] if one and self.branch else self.state.branches
        """Branches shown in full: that of the chosen idea; all of them while there is none, or
        where every idea is asked for."""
        self.method = snapshot.of_method(self.shown)

    def sections(self) -> list[Section]:
        """The whole document below its title."""
        references = ReferenceList(empty="No paper is cited yet.")
        found = [*self.main, _section("References", references)]
        if self.options.appendix:
            works = tuple(work.paper for work in self.works if work.paper is not None)
            further = _section(
                f"A.{len(self.appendix) + 1} Further references", ReferenceList(works)
            )
            parts = (
                replace(part, title=f"A.{n} {part.title}")
                for n, part in enumerate(self.appendix, start=1)
            )
            you = Paragraph("In these parts “you” is the researcher who made the session.")
            found.append(_section("Appendix", you, *parts, further))
        return found

    # -- above the sections

    @property
    def title(self) -> str:
        """The title of the proposal or the idea, else what the session is about."""
        if self.manuscript is not None:
            return self.manuscript.title
        written = (
            self.state.read(f"{self.branch}/proposal", ProposalContent) if self.branch else None
        )
        if written is not None and written.title:
            return written.title
        if self.branch is not None and self.state.in_use(f"{self.branch}/idea") is not None:
            return self.title_of(self.branch)
        return str(self.state.value("topic#text") or self.snapshot.name or "Untitled session")

    def title_of(self, branch: Branch) -> str:
        idea = self.state.read(f"{branch}/idea", IdeaContent)
        return (idea.title if idea else "") or f"Idea {branch} (no title yet)"

    @property
    def opening(self) -> str:
        """How it was made and what is open."""
        snapshot, counts = self.snapshot, Counter(warning.kind for warning in self.warnings)
        made = f"Exported {day(snapshot.exported_at)} from the session “{snapshot.name}”, made with {snapshot.method}"
        open_ones = "; ".join(
            f"{kind[0].lower()}{kind[1:]}{f' {n}' if n > 1 else ''}" for kind, n in counts.items()
        )
        parts = [
            self._worksheet(),
            f"{made}{self._written()}{self._which()}.",
            f"Open: {open_ones}." if counts else "Every part is complete, up to date and decided.",
            "" if self.options.appendix else f"Appendix: coi export {snapshot.name} --appendix.",
        ]
        return " ".join(filter(None, parts))

    def _worksheet(self) -> str:
        """What of it was recorded, or written by the built-in drafter."""
        counts = origins(self.snapshot)
        if counts["recorded"]:
            return RECORDED
        if not counts["drafter"]:
            return ""
        which = (
            "some of the texts" if counts["model"] or counts["scripted"] else "every generated text"
        )
        return f"Worksheet, drafted without a language model: {which}. {WORKSHEET}"

    def _written(self) -> str:
        """By whom idea and plan were written."""
        found = [
            self.state.in_use(f"{self.branch}/{part}") for part in ("idea", "exp") if self.branch
        ]
        words = dict.fromkeys(ORIGINS[version.origin] for version in found if version is not None)
        return "".join(f", {origin}" for origin in words)

    def _which(self) -> str:
        """Which idea the proposal is about, and why that one."""
        branch, state, standings = self.branch, self.state, self.snapshot.standings
        if branch is None:
            return ""
        matches = any(address.startswith("A/") for address in self.snapshot.in_use)
        if state.pick == branch:
            why = "picked by the researcher"
        elif matches and standings and standings[0].player == branch:
            why = "the leader of the matches"
        elif [b for b in state.branches if state.in_use(f"{b}/idea") is not None] == [branch]:
            why = "the only idea"
        elif state.in_use(f"{branch}/exp") is not None:
            why = "the one that has an experiment plan"
        else:
            why = "the first; the ideas have not been compared"
        return f": idea {branch}, {why}"

    @cached_property
    def warnings(self) -> list[ProposalWarning]:
        unverified = [work for work in self.works if work.paper is None]
        return warnings_of(self.snapshot, self.shown, self.method.warnings, unverified)

    # -- the main part

    @cached_property
    def manuscript(self) -> Manuscript | None:
        """The method's own manuscript about the chosen idea, where no proposal was written."""
        if self.branch is None or self.state.in_use(f"{self.branch}/proposal") is not None:
            return None
        found = (one for one in self.method.manuscripts if one.branch == self.branch)
        return next(found, None)

    @cached_property
    def main(self) -> list[Section]:
        """The proposal, else the method's manuscript, else idea and plan as they are."""
        branch, state = self.branch, self.state
        idea = state.in_use(f"{branch}/idea") if branch is not None else None
        written = state.in_use(f"{branch}/proposal") if branch is not None else None
        if written is not None:
            content = state.content(written, ProposalContent)
            labels = tuple((f"[P{n}]", paper) for n, paper in enumerate(content.papers, start=1))
            like = Passage(written.address, "", written.origin, labels)
            return self._sections(sections(content.text), like)
        if (own := self.manuscript) is not None:
            head = [_section("In short", own.abstract)] if own.abstract is not None else []
            return [*head, *own.sections]
        if idea is None:
            where = " What there is of each branch is in the appendix." if state.branches else ""
            none = f" No idea has been chosen.{where}" if branch is None else ""
            return [_section("The idea", Paragraph(f"{NOT_MADE.text}{none}"))]
        parts = assembled(
            state.content(idea, IdeaContent), state.read(f"{branch}/exp", ExperimentPlan)
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
        named = [
            (title, known.titles.find(title))
            for title in named_in(text, known.titles, self._own_words)
        ]
        named += [(cited.text, known.cited.find(cited)) for cited in citations_in(text)]
        named += [
            (paper.title, key)
            for key, paper in papers.items()
            if paper.title in text and len(paper.title.split()) > 2
        ]
        places = {
            (found.start(), -found.end()): paper
            for name, paper in named
            if paper is not None
            for found in re.finditer(rf"(?<![\w-]){re.escape(name)}(?![\w-])[”\"'’]*", text)
        }
        marked = {known.same(paper) for _, paper in passage.cited if paper in papers}
        out, end, cited = "", 0, list(passage.cited)
        for (start, stop), paper in sorted(places.items()):
            if known.same(paper) not in marked and start >= end:
                marked.add(known.same(paper))
                out += f"{text[end:-stop]} [{paper}]"
                end = -stop
                cited.append((f"[{paper}]", paper))
        return replace(passage, text=out + text[end:], cited=tuple(cited))

    # -- the appendix

    @cached_property
    def appendix(self) -> list[Section]:
        """What the proposal rests on; parts of which there is nothing are left out."""
        rows = tuple((Strong(found.kind), f": {found.text}") for found in self.warnings)
        parts = [
            _section("Warnings", Bullets(rows) if rows else Paragraph("None.")),
            *self._rests_on,
            _section("Other ideas", *self._others()),
            _section("Ratings", *self._ratings()),
            _section("The researcher's notes", *self._notes()),
            _section("How this was made", *how_made(self.snapshot, self.method.limits)),
        ]
        return [part for part in parts if part.blocks]

    @cached_property
    def _rests_on(self) -> list[Section]:
        """The cells of the session and of the branches shown, each kind of cell in a part of its
        own, in the order of the kinds."""
        groups: dict[tuple[str, Branch], list[Section]] = {}
        pictures: dict[tuple[str, Branch], Figure] = {}
        topic = str(self.state.value("topic#text") or "")
        there = {
            READING: READING in self.snapshot.in_use,
            "X": bool(self.state.shelf),
        }
        session = [address for address, made in there.items() if made]
        for address in ("topic", *self.method.cells, *session):
            blocks = tuple(self.snapshot.document(address))
            if address == "topic":  # without the hunch, which is private
                blocks = (Passage(address, topic),) if topic else ()
            if not blocks:
                continue
            kind, at = self.snapshot.methods.kind(address), parse_address(address)
            branch = at.branch if at.branch in self.shown and len(self.shown) > 1 else 0
            title = kind.title if kind is not None else at.part.capitalize()
            name: tuple[str | Citation, ...] = (f"{title} {address}",)
            if at.part == "slot":
                name = (f"{address}: ", Citation(self.state.slot(address).paper or ""))
            rivals = kind is not None and kind.role == "rivals"
            section = Section(name, tuple(_shortened(blocks, rivals)))
            groups.setdefault((title, branch), []).append(section)
            if at.part == "slot" and (title, branch) not in pictures:
                svg = chain_svg(self.state, at.branch, self.title_of(at.branch))
                pictures.setdefault((title, branch), Figure(svg))
        return [
            _section(
                f"{title} of idea {branch}" if branch else title,
                *([pictures[title, branch]] if (title, branch) in pictures else []),
                *(cells if len(cells) > 1 or (title, branch) in pictures else cells[0].blocks),
            )
            for (title, branch), cells in groups.items()
        ]

    def _others(self) -> Iterator[Section]:
        """Every idea that is not shown in full."""
        for branch in self.state.branches:
            if branch in self.shown:
                continue
            idea = self.state.in_use(f"{branch}/idea")
            report = self.state.read(f"{branch}/nov", NoveltyReport)
            parked = " (parked by the researcher)" if branch in self.state.parked else ""
            novelty = Paragraph(
                f"Novelty: {verdict_text(report) if report else 'not searched yet.'}"
            )
            content = self.state.content(idea, IdeaContent) if idea is not None else None
            text = (
                Passage(idea.address, content.final, idea.origin)
                if idea is not None and content is not None and content.final
                else NOT_MADE
            )
            yield _section(f"Idea {branch}: {self.title_of(branch)}{parked}", text, novelty)

    def _ratings(self) -> Iterator[Block]:
        """The ideas against each other, also those matches whose result is hidden until the
        researcher has voted."""
        state = self.state
        matches = {
            address: match
            for address in self.snapshot.in_use
            if address.startswith("A/") and (match := state.read(address, MatchRecord))
        }
        if not matches:
            return
        rows = (
            (
                str(line.player),
                f"{line.average:.0f}",
                f"{line.points:g} of {line.games}",
                f"{line.strength:.2f}",
                self.title_of(line.player),
            )
            for line in self.snapshot.standings
        )
        yield plain_table(("Idea", "Elo", "Points", "Bradley-Terry", "Title"), rows)
        results = [(match.first, match.second, match.results) for match in matches.values()]
        if won := won_by_one_call(state, results):
            yield Paragraph(won)
        yield Bullets(tuple(self._match(address, match) for address, match in matches.items()))

    def _match(self, address: str, match: MatchRecord) -> str:
        """Who won by each criterion, with the researcher's votes."""
        results = []
        for name, winner in match.results.items():
            vote = self.state.votes.get((address, name))
            yours = f" (you: {_idea(vote)})" if vote is not None else ""
            results.append(f"{name} {_idea(winner)}{yours}")
        return f"Idea {match.first} against idea {match.second}: {', '.join(results)}."

    def _notes(self) -> Iterator[Section]:
        for address, text in self.state.notes.items() if self.options.notes else ():
            if text.strip():
                about = f"On {self.snapshot.name_of(address)} ({address})"
                yield Section(about, (Passage("", text),))

    # -- the works that the texts name

    @cached_property
    def _own_words(self) -> frozenset[str]:
        """What the texts may quote without naming a paper."""
        return own_words(self.state)

    @cached_property
    def works(self) -> list[NamedWork]:
        """The works that the texts shown name."""
        texts = [
            (passage.address, passage.text)
            for section in (*self.main, *self._rests_on, *self._others())
            for passage in passages(section)
        ]
        listed = []
        for branch in self.shown:
            idea = self.state.read(f"{branch}/idea", IdeaContent)
            plan = self.state.read(f"{branch}/exp", ExperimentPlan)
            listed += [(title.strip(), f"{branch}/idea") for title in (idea.works if idea else ())]
            listed += [
                (title.strip(), f"{branch}/exp") for title in (plan.references if plan else ())
            ]
        return named_works(texts, listed, self.bibliography, self._own_words)


def _section(title: str, *blocks: Part) -> Section:
    """A section; besides blocks it may hold what only an export has."""
    return Section(title, blocks)  # type: ignore[arg-type]


def _shortened(blocks: Iterable[Block], only_papers: bool) -> Iterator[Block]:
    """Blocks with at most so many rows in a table. ``only_papers``: without titles from a model's
    memory that no paper has."""
    for block in blocks:
        if not isinstance(block, Table):
            yield block
            continue
        rows = [
            replace(row, blocks=tuple(one for one in row.blocks if not _says_nothing(one)))
            for row in block.rows
            if row.paper or not only_papers
        ]
        yield replace(block, rows=tuple(rows[:ROWS_SHOWN]))
        if len(rows) > ROWS_SHOWN:
            yield Paragraph(f"{len(rows) - ROWS_SHOWN:,} more are in the session.")


def _says_nothing(block: Block) -> bool:
    """Whether it only says that a paper has no passage for a claim; the row says so already."""
    return isinstance(block, Section) and block.blocks == (Paragraph(NO_PASSAGE),)


def _idea(winner: Branch) -> str:
    return f"idea {winner}" if winner else "tie"

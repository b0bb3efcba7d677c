"""The parts of the appendix that every method shares: idea, other ideas and ratings, experiment
plan, review."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass

from coi_tui.arena.matches import CRITERIA
from coi_tui.arena.ratings import Standing
from coi_tui.methods.evidence.reading_entries import reading_list
from coi_tui.methods.ideas.stages import won_by_one_call
from coi_tui.model import reviewing
from coi_tui.model.address import READING, Branch, instance_of, parse_address, slot
from coi_tui.model.content import (
    ExperimentPlan,
    IdeaContent,
    MatchRecord,
    NoveltyReport,
    ReviewContent,
    Support,
    Topic,
)
from coi_tui.model.document import (
    Block,
    Bullets,
    Citation,
    Line,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    Section,
    Strong,
    plain_table,
)
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_name
from coi_tui.model.plan_scores import in_words, scored
from coi_tui.model.text import clipped, count, sentence
from coi_tui.present.novelty_evidence import novelty, outcome
from coi_tui.present.provenance import how_made
from coi_tui.present.review_points import PointOutcome, point_outcomes
from coi_tui.present.snapshot import NOT_MADE, ExportContext, name_of
from coi_tui.present.titles import IDEA, PLAN
from coi_tui.present.warnings import warnings_of

# -- the idea and its experiment plan


def title_of(context: ExportContext, branch: Branch) -> str:
    """An idea's title (not escaped), or words for a missing one."""
    idea = context.state.read(f"{branch}/idea", IdeaContent)
    return (idea.title if idea else "") or f"Idea {branch} (no title yet)"


def _fields(
    context: ExportContext,
    version: Version,
    content: IdeaContent | ExperimentPlan,
    fields: Mapping[str, str],
) -> list[Section]:
    """Fields of a text under their headings; an empty field is left out."""
    out: list[Section] = []
    for name, heading in fields.items():
        value = getattr(content, name)
        text = (
            "\n".join(f"{n}. {item}" for n, item in enumerate(value, start=1))
            if isinstance(value, list)
            else value
        )
        if text.strip():
            origin = version.origin if not out else "model"
            out.append(Section(heading, (Passage(version.address, text.strip(), origin),)))
    return out


def idea(context: ExportContext, branch: Branch) -> Iterator[Block | Section]:
    """What the main part does not have of an idea; of another idea its title and all of it."""
    version = context.state.in_use(f"{branch}/idea")
    if version is not None:
        yield from (
            [Paragraph((Strong(title_of(context, branch)),))]
            if branch != context.snapshot.branch
            else []
        )
        yield from _fields(context, version, context.state.content(version, IdeaContent), IDEA)


def plan(context: ExportContext, branch: Branch) -> Iterator[Section]:
    """The plan in its parts, references with the papers they mean."""
    version = context.state.in_use(f"{branch}/exp")
    if version is None:
        return
    held = context.state.content(version, ExperimentPlan)
    yield from _fields(context, version, held, PLAN)
    if held.references:
        named = ((title, context.bibliography.titles.find(title)) for title in held.references)
        unknown = (" (", Strong("unverified"), ": no paper of the session has this title)")
        rows = tuple(
            (f"{title}, ", Citation(paper)) if paper else (title, *unknown)
            for title, paper in named
        )
        yield Section("References of the plan", (Bullets(rows),))


# -- other ideas, ratings and matches


def reading(context: ExportContext, branch: Branch) -> Iterator[Block]:
    """The first papers of the reading list in its order, each with why it stands there."""
    found = reading_list(context.state)
    yield from (Paragraph(f"Searched: {line}.") for line in found.searched)
    yield from [Paragraph(found.note)] if found.note else []
    yield Bullets(
        tuple(
            f"{e.title} ({e.year or 'n.d.'}): {e.reasons()}." for e in found.entries[:READING_SHOWN]
        )
    )
    if (more := len(found.entries) - READING_SHOWN) > 0:
        yield Paragraph(f"{more} more papers are in the session.")


READING_SHOWN = 30
"""Papers of the reading list in an export."""


def others(context: ExportContext, branch: Branch) -> Iterator[Block | Section]:
    """Every idea that is not told in full, then ratings and matches."""
    rest = [b for b in context.state.branches if b not in context.snapshot.shown]
    if not rest:
        yield Paragraph(
            "All ideas are shown above."
            if len(context.snapshot.shown) > 1
            else "There is no other idea."
        )
    yield from (_other_idea(context, branch) for branch in rest)
    yield from _ratings(context)


def _other_idea(context: ExportContext, branch: Branch) -> Section:
    held, report = (
        context.state.in_use(f"{branch}/idea"),
        context.state.read(f"{branch}/nov", NoveltyReport),
    )
    parked = " (parked by the researcher)" if branch in context.state.parked else ""
    papers = [
        Citation(p)
        for at in context.state.chain(branch)
        if (p := context.state.slot(slot(branch, at)).paper)
    ]
    named = [part for paper in papers for part in (", ", paper)][1:] or ["none yet"]
    chain: list[Line] = [] if instance_of(branch) else [("Chain: ", *named, ".")]
    if held is None:
        return Section(
            f"Idea {branch}: no idea yet{parked}", (Paragraph(NOT_MADE), Bullets(tuple(chain)))
        )
    chain.append(f"Novelty: {outcome(report) if report else 'not searched yet.'}")
    content = context.state.content(held, IdeaContent)
    body = (
        Passage(held.address, content.final, held.origin) if content.final else Paragraph(NOT_MADE)
    )
    return Section(
        f"Idea {branch}: {title_of(context, branch)}{parked}", (body, Bullets(tuple(chain)))
    )


def _ratings(context: ExportContext) -> Iterator[Section]:
    """The table of ratings, and each match with its reasons."""
    lines, matches = context.snapshot.standings, context.snapshot.matches
    if not lines or not matches:
        alone = "There is one idea, so nothing to compare it with."
        yield Section(
            "Ratings",
            (Paragraph(alone if len(lines) == 1 else "The ideas have not been compared yet."),),
        )
        return
    lead = (
        "Every pair is judged in both orders on five criteria. A criterion whose winner flips with the order counts as a tie. "
        "Elo starts at 1,000; Bradley-Terry strengths have mean 1. The numbers rank these ideas against each other and say nothing more."
    )
    names = [*CRITERIA, *sorted({n for line in lines for n in line.elo} - set(CRITERIA))]
    head = ("Idea", "Elo, mean", *(f"Elo, {name}" for name in names), "Bradley-Terry", "Points")
    read = [(a, match) for a in matches if (match := context.state.read(a, MatchRecord))]
    won = won_by_one_call(context.state, [(m.first, m.second, m.results) for _, m in read])
    table = plain_table(head, tuple(_rating(context, line, names) for line in lines))
    yield Section("Ratings", (Paragraph(lead), table, *([Paragraph(won)] if won else [])))
    yield Section("Matches", (Bullets(tuple(_match(address, match) for address, match in read)),))


def _rating(context: ExportContext, line: Standing, names: list[str]) -> tuple[str, ...]:
    picked, shown = context.state.pick == line.player, context.snapshot.branch == line.player
    mark = " (the researcher's pick)" if picked else " (shown above)" if shown else ""
    title = clipped(title_of(context, line.player), 14)
    ratings = (f"{line.elo[name]:.0f}" if name in line.elo else "" for name in names)
    points = f"{line.points:g} of {line.games}"
    return (
        f"{line.player}: {title}{mark}",
        f"{line.average:.0f}",
        *ratings,
        f"{line.strength:.2f}",
        points,
    )


def _match(address: str, match: MatchRecord) -> Line:
    at, flipped = parse_address(address), flips(match)
    said = (
        ", ".join(_result(name, won, name in flipped) for name, won in match.results.items())
        or "no result"
    )
    reasons = (
        (first, clipped(judged.get("reasoning"), 50))
        for judged, first in ((match.straight, at.branch), (match.swapped, at.other))
    )
    told = "".join(
        f" Idea {first} shown first: {sentence(reason)}" for first, reason in reasons if reason
    )
    return (Strong(f"Idea {at.branch} against idea {at.other}."), f" {said}.{told}")


def _result(name: str, won: Branch, flipped: bool) -> str:
    """Who won a criterion; 0 is a tie."""
    return (
        f"{name}: {f'idea {won}' if won else 'tie (flipped with the order)' if flipped else 'tie'}"
    )


def flips(match: MatchRecord) -> list[str]:
    """Criteria for which the two orders named different winners."""
    both = [
        name
        for name in match.results
        if {match.straight.get(name), match.swapped.get(name)} <= {0, 1}
    ]
    return [name for name in both if match.straight[name] == match.swapped[name]]


# -- review points and what became of each


def review(context: ExportContext, branch: Branch) -> Iterator[Block | Section]:
    """Each review with its points and what became of them, and the reading that the refinement drew
    on."""
    rounds = reviewing.rounds(context.state, branch)
    for n, one in enumerate(rounds, start=1):
        held = context.state.content(one.review, ReviewContent)
        about = (
            f"plan {version_name(context.state, f'{branch}/exp', held.of)}"
            if held.of
            else "the plan"
        )
        answer = (
            f"answered by plan {version_name(context.state, f'{branch}/exp', one.plan.seq)}"
            if one.plan
            else "not answered yet"
        )
        points = tuple(map(_point, point_outcomes(context, branch, one)))
        blocks: list[Block] = [
            Bullets(points) if points else Paragraph("The review asked for no change.")
        ]
        if one.plan is not None:
            if score := scored(context.state, one.plan):
                blocks.append(Paragraph(f"Score: {in_words(score)}."))
            blocks += _further_reading(context.state.content(one.plan, ExperimentPlan).support)
        yield Section(
            f"Round {n}: {count(len(held.points), 'point')} on {about}, {answer}", tuple(blocks)
        )


def _point(found: PointOutcome) -> Line:
    part = f"On {found.point.part}: " if found.point.part else ""
    said = found.said if found.word != "dismissed" else found.said.removeprefix("dismissed ")
    whose = " (added by the researcher)" if found.point.own else ""
    head = Strong(f"Point {found.point.n}{whose}.")
    return (
        head,
        f" {part}{sentence(found.point.point)} ",
        Strong(found.word),
        f": {sentence(said)}",
    )


def _further_reading(support: Support | None) -> Iterator[Block]:
    """What was read for the refinement."""
    if support is None or not (support.queries or support.facts):
        yield Paragraph("Further reading for this round: none, no point asked for a search.")
        return
    searched = ", ".join(f"“{query}”" for query in support.queries)
    yield Paragraph(
        f"Further reading for this round: searched for {searched}; {count(len(support.papers), 'paper')} read."
    )
    yield PaperList(
        tuple(
            PaperEntry(read.paper, tuple(read.facts) or ("No useful fact was found.",))
            for read in support.facts
        )
    )


# -- what is open


def warnings(context: ExportContext, branch: Branch) -> Iterator[Block]:
    rows = tuple((Strong(warning.kind), f": {warning.text}") for warning in warnings_of(context))
    none = "None: every part is complete, up to date and decided, and every link and title is accounted for."
    yield Bullets(rows) if rows else Paragraph(none)


def topic(context: ExportContext, branch: Branch) -> Iterator[Block]:
    if held := context.state.read("topic", Topic):
        yield Passage("topic", held.text)


def works(context: ExportContext, branch: Branch) -> Iterator[Block]:
    yield Paragraph(
        "The texts name or cite these works, and the session has no such papers. Check that they exist before citing them."
    )
    yield Bullets(
        tuple(
            (f"{work.text} (", Strong("unverified"), f"; named in {', '.join(work.where)})")
            for work in context.unverified
        )
    )


def notes(context: ExportContext, branch: Branch) -> Iterator[Section]:
    """The researcher's notes, each with what it is about."""
    for address, text in context.state.notes.items():
        if text.strip():
            yield Section(
                f"On {name_of(context.snapshot, address)} ({address})", (Passage("", text),)
            )


APPENDIX: Mapping[str, tuple[str, Callable[[ExportContext, Branch], Iterable[Block | Section]]]] = {
    "warnings": ("Warnings", warnings),
    "topic": ("Topic", topic),
    "idea": ("The idea part by part", idea),
    "chain": ("What it rests on", ExportContext.method_sections),
    "novelty": ("Novelty evidence", novelty),
    "experiment": ("Experiment plan", plan),
    "review": ("Review points and answers", review),
    "ideas": ("Other ideas and ratings", others),
    "reading": ("Reading list", reading),
    "notes": ("The researcher's notes", notes),
    "provenance": ("How this was made", how_made),
    "works": ("Works without a paper", works),
}
"""The parts of the appendix by their keys: title and text."""


@dataclass(frozen=True)
class AppendixPart:
    """A part of the appendix at its place; ``branch`` where it is about one."""

    key: str
    place: str
    title: str
    branch: Branch = 0

    def section(self, context: ExportContext) -> Section:
        """Its text, written anew: it leaves out what the document has said before."""
        return Section(
            self.title, tuple(APPENDIX[self.key][1](context, self.branch)) or (Paragraph(NOT_MADE),)
        )


_OF_BRANCH = ("idea", "chain", "novelty", "experiment", "review")


def appendix_parts(context: ExportContext) -> list[AppendixPart]:
    """What the appendix has, in its order; the parts of the session of which there is nothing left
    out."""
    state, shown = context.state, context.snapshot.shown
    there = {
        "reading": state.in_use(READING) is not None,
        "notes": context.options.notes and any(map(str.strip, state.notes.values())),
        "works": bool(context.unverified),
    }
    session = [key for key in APPENDIX if key not in _OF_BRANCH and there.get(key, True)]
    keys: list[tuple[str, Branch]] = [(key, 0) for key in session[:2]]
    keys += [(key, branch) for branch in shown for key in _OF_BRANCH]
    keys += [(key, 0) for key in session[2:]]
    of = " of idea {}" if len(shown) > 1 else ""
    return [
        AppendixPart(
            key, f"A.{n}", f"{APPENDIX[key][0]}{of.format(branch) if branch else ''}", branch
        )
        for n, (key, branch) in enumerate(keys, start=1)
    ]

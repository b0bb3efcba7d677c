"""The parts of the appendix that every method shares: idea, other ideas and ratings, experiment plan, review."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence

from coi_tui.arena.matches import CRITERIA
from coi_tui.arena.ratings import Standing
from coi_tui.export.escape import fence, inline, joined, paragraphs, table
from coi_tui.export.novelty_evidence import outcome
from coi_tui.export.plan_evidence import means_section, step_sources
from coi_tui.export.render import byline, render
from coi_tui.export.repetition import REPEATED
from coi_tui.export.review_points import PointOutcome, point_outcomes
from coi_tui.export.snapshot import NOT_MADE, ExportContext
from coi_tui.export.support_section import marked, sentences
from coi_tui.export.titles import unverified, unverified_citations
from coi_tui.export.warnings import warnings_of
from coi_tui.methods.shared.reading_entries import reading_list
from coi_tui.model import reviewing
from coi_tui.model.address import Branch, instance_of, parse_address, question_of, slot
from coi_tui.model.content import (
    ExperimentPlan,
    IdeaContent,
    MatchRecord,
    Note,
    NoveltyReport,
    ReviewContent,
    Support,
    Topic,
)
from coi_tui.model.document import Block, Bullets, Line, PaperEntry, PaperList, Paragraph, Passage, Section, Strong
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_name
from coi_tui.model.plan_scores import in_words, second_review_of
from coi_tui.model.wording import clipped, count, sentence

IDEA = (
    ("final", "The text"), ("problem", "Problem"), ("motivation", "Motivation"), ("novelty", "What the text claims as new"),
    ("contributions", "Contributions"), ("method", "Method"), ("experiment", "Experiment, step by step"),
    ("origin", "Where it comes from"), ("difference", "How it differs"), ("challenges", "Challenges"),
)  # fmt: skip
PLAN = (
    ("design", "Design"), ("baselines", "Baselines"), ("ablation", "Ablation"), ("metrics", "Metrics"),
    ("implementation", "Implementation"), ("feasibility", "Feasibility"),
)  # fmt: skip


# -- the idea and its experiment plan ---------------------------------------------------------------------------------


def title_of(context: ExportContext, branch: Branch) -> str:
    """An idea's title (not escaped), or words for a missing one."""
    idea = context.state.read(f"{branch}/idea", IdeaContent)
    return (idea.title if idea else "") or f"Idea {branch} (no title yet)"


def field_sections(
    context: ExportContext, address: str, content: IdeaContent | ExperimentPlan, fields: Sequence[tuple[str, str]]
) -> Iterator[Section]:  # fmt: skip
    """Fields of a text under their headings; an empty field is left out, and so is what the document has already."""
    for name, heading in fields:
        value = getattr(content, name)
        text = "\n".join(f"{n}. {item}" for n, item in enumerate(value, start=1)) if isinstance(value, list) else value
        if fresh := context.told.fresh(marked(context, text)):
            yield Section(heading, (Passage(address, fresh),))


def _fields(context: ExportContext, version: Version, content: IdeaContent | ExperimentPlan, fields: Sequence[tuple[str, str]]) -> str:
    sections = field_sections(context, version.address, content, fields)
    return joined(byline(version.origin), *(render(section, context.bibliography, len(context.sub)) for section in sections))


def idea_section(context: ExportContext, branch: Branch) -> str:
    """What the main part does not have of an idea; of another idea its title and all of it."""
    version = context.state.in_use(f"{branch}/idea")
    if version is None:
        return NOT_MADE
    title = f"**{inline(title_of(context, branch))}**" if branch != context.snapshot.branch else ""
    return joined(title, _fields(context, version, context.state.content(version, IdeaContent), IDEA))


def plan_section(context: ExportContext, branch: Branch) -> str:
    """The plan in its parts, pseudocode as code, references with the papers they mean."""
    version, level = context.state.in_use(f"{branch}/exp"), context.sub
    if version is None:
        return NOT_MADE
    plan = context.state.content(version, ExperimentPlan)
    out = [_fields(context, version, plan, PLAN)]
    if code := plan.pseudocode.strip():
        out += [f"{level} Pseudocode", fence(code)]
    if plan.references:
        out += [f"{level} References of the plan", "\n".join(_plan_reference(context, title) for title in plan.references)]
    return joined(*out, step_sources(context, version, level), means_section(context, version, level))


def _plan_reference(context: ExportContext, title: str) -> str:
    found = context.bibliography.titles.find(title)
    if found:
        return f"- {context.bibliography.titled(found)}"
    return f"- {inline(title)} (**unverified**: no paper of the session has this title)"


# -- other ideas, ratings and matches ---------------------------------------------------------------------------------


def reading_section(context: ExportContext) -> str:
    """The first papers of the reading list, each with why it stands there."""
    found = reading_list(context.state)
    if not found.entries:
        return NOT_MADE
    lines = [f"{e.rank}. {inline(e.title)} ({e.year or 'n.d.'}): {inline(e.reasons())}." for e in found.entries[:READING_SHOWN]]
    searched = [f"Searched: {inline(line)}." for line in found.searched]
    noted = [inline(found.note)] if found.note else []
    more = len(found.entries) - READING_SHOWN
    rest = [f"{more} more papers are in the session."] if more > 0 else []
    return joined(*searched, *noted, "\n".join(lines), *rest)


READING_SHOWN = 30
"""Papers of the reading list in an export."""


def others_section(context: ExportContext) -> str:
    """Every idea that is not told in full, then ratings and matches."""
    rest = [b for b in context.state.branches if b not in context.snapshot.shown]
    none = "All ideas are shown above." if len(context.snapshot.shown) > 1 else "There is no other idea."
    told = [_other_idea(context, branch) for branch in rest] or [none]
    return "\n\n".join([*told, *_ratings(context)])


def _other_idea(context: ExportContext, branch: Branch) -> str:
    idea, report = context.state.in_use(f"{branch}/idea"), context.state.read(f"{branch}/nov", NoveltyReport)
    parked = " (parked by the researcher)" if branch in context.state.parked else ""
    chain = _chain_line(context, branch)
    if idea is None:
        return joined(f"{context.sub} Idea {branch}: no idea yet{parked}", NOT_MADE, chain.strip())
    novelty = f"- Novelty: {inline(outcome(report).said) if report else 'not searched yet.'}"
    content = context.state.content(idea, IdeaContent)
    body = paragraphs(context.told.fresh(marked(context, content.final or content.motivation))) or REPEATED
    head = f"{context.sub} Idea {branch}: {inline(title_of(context, branch))}{parked}"
    return joined(head, byline(idea.origin), body, f"{chain}{novelty}")


def _chain_line(context: ExportContext, branch: Branch) -> str:
    """The papers of a chain; nothing for a branch that grows none."""
    papers = (context.state.slot(slot(branch, pos)).paper for pos in context.state.chain(branch))
    named = ", ".join(context.bibliography.short(p) for p in papers if p) or "none yet"
    return "" if instance_of(branch) else f"- Chain: {named}.\n"


def table_section(context: ExportContext) -> str:
    """Every idea of the session in one line."""
    head = ("No.", "Idea", "Grown from", "Chain", "Novelty", "Plan", "State")
    return table(head, [_idea_row(context, branch) for branch in context.state.branches])


def _idea_row(context: ExportContext, branch: Branch) -> tuple[str, ...]:
    """An idea's title, question, chain, verdict of the novelty search, whether it has a plan, and what was decided."""
    state = context.state
    question, report = state.read(question_of(branch), Note), state.read(f"{branch}/nov", NoveltyReport)
    return (
        str(branch),
        inline(title_of(context, branch)),
        inline(question.text) if question else "",
        _span(context, branch),
        inline(outcome(report).verdict) if report else "not searched",
        "yes" if state.in_use(f"{branch}/exp") else "no",
        "picked" if state.pick == branch else "parked" if branch in state.parked else "",
    )


def _span(context: ExportContext, branch: Branch) -> str:
    """``3 papers, 2021 to 2023``."""
    papers = [context.state.papers.get(at.paper or "") for at in context.state.filled(branch)]
    years = sorted({paper.year for paper in papers if paper is not None and paper.year is not None})
    return ", ".join(filter(None, (count(len(papers), "paper"), " to ".join(dict.fromkeys(map(str, (*years[:1], *years[-1:])))))))


def _ratings(context: ExportContext) -> list[str]:
    """The table of ratings, and each match with its reasons."""
    lines, matches = context.snapshot.standings, context.snapshot.matches
    if not lines or not matches:
        alone = "There is one idea, so nothing to compare it with."
        return [f"{context.sub} Ratings", alone if len(lines) == 1 else "The ideas have not been compared yet."]
    lead = (
        "Every pair is judged in both orders on five criteria. A criterion whose winner flips with the order counts as a tie. "
        "Elo starts at 1,000; Bradley-Terry strengths have mean 1. The numbers rank these ideas against each other and say nothing more."
    )
    told = "\n".join(_match(a, match) for a in matches if (match := context.state.read(a, MatchRecord)))
    return [f"{context.sub} Ratings", lead, _rating_table(context, lines), f"{context.sub} Matches", told]


def _rating_table(context: ExportContext, lines: Sequence[Standing]) -> str:
    names = [*CRITERIA, *sorted({n for line in lines for n in line.elo} - set(CRITERIA))]
    head = ("Idea", "Elo, mean", *(f"Elo, {name}" for name in names), "Bradley-Terry", "Points")
    return table(head, [_rating(context, line, names) for line in lines])


def _rating(context: ExportContext, line: Standing, names: list[str]) -> tuple[str, ...]:
    picked, shown = context.state.pick == line.player, context.snapshot.branch == line.player
    mark = " (the researcher's pick)" if picked else " (shown above)" if shown else ""
    title = inline(clipped(title_of(context, line.player), 14))
    ratings = (f"{line.elo[name]:.0f}" if name in line.elo else "" for name in names)
    points = f"{line.points:g} of {line.games}"
    return (f"{line.player}: {title}{mark}", f"{line.average:.0f}", *ratings, f"{line.strength:.2f}", points)


def _match(address: str, match: MatchRecord) -> str:
    at, flipped = parse_address(address), flips(match)
    said = ", ".join(_result(name, won, name in flipped) for name, won in match.results.items()) or "no result"
    long = f" One text is {match.length_ratio} times as long as the other." if match.length_ratio >= 1.5 else ""
    rows = [f"- **Idea {at.branch} against idea {at.other}.** {said}.{long}"]
    for judged, first in ((match.straight, at.branch), (match.swapped, at.other)):
        reason = inline(clipped(judged.get("reasoning"), 50))
        rows += [f"  - Idea {first} shown first: {sentence(reason)}"] if reason else []
    return "\n".join(rows)


def _result(name: str, won: Branch, flipped: bool) -> str:
    """Who won a criterion; 0 is a tie."""
    return f"{inline(name)}: {f'idea {won}' if won else 'tie (flipped with the order)' if flipped else 'tie'}"


def flips(match: MatchRecord) -> list[str]:
    """Criteria for which the two orders named different winners."""
    both = [name for name in match.results if {match.straight.get(name), match.swapped.get(name)} <= {0, 1}]
    return [name for name in both if match.straight[name] == match.swapped[name]]


# -- review points and what became of each ----------------------------------------------------------------------------


def review(context: ExportContext, branch: Branch) -> Iterator[Block | Section]:
    """Each review with its points and what became of them, and the reading that the refinement drew on."""
    rounds = reviewing.rounds(context.state, branch)
    for n, one in enumerate(rounds, start=1):
        held = context.state.content(one.review, ReviewContent)
        about = f"plan {version_name(context.state, f'{branch}/exp', held.of)}" if held.of else "the plan"
        answer = f"answered by plan {version_name(context.state, f'{branch}/exp', one.plan.seq)}" if one.plan else "not answered yet"
        points = tuple(map(_point, point_outcomes(context, branch, one)))
        blocks: list[Block] = [Bullets(points) if points else Paragraph("The review asked for no change.")]
        if one.plan is not None:
            if second := second_review_of(context.state, one.plan):
                blocks.append(Paragraph(sentence(f"Second review: {in_words(second)}")))
            blocks += _further_reading(context.state.content(one.plan, ExperimentPlan).support)
        yield Section(f"Round {n}: {count(len(held.points), 'point')} on {about}, {answer}", tuple(blocks))


def _point(found: PointOutcome) -> Line:
    part = f"On {found.point.part}: " if found.point.part else ""
    said = found.said if found.word != "dismissed" else found.said.removeprefix("dismissed ")
    whose = " (added by the researcher)" if found.point.own else ""
    head = Strong(f"Point {found.point.n}{whose}.")
    return (head, f" {part}{sentence(found.point.point)} ", Strong(found.word), f": {sentence(said)}")


def _further_reading(support: Support | None) -> Iterator[Block]:
    """What was read for the refinement."""
    if support is None or not (support.query or support.facts):
        yield Paragraph("Further reading for this round: none, the model asked for no search.")
        return
    yield Paragraph(f"Further reading for this round: searched for “{support.query}”; {count(len(support.papers), 'paper')} read.")
    yield PaperList(tuple(PaperEntry(read.paper, tuple(read.facts) or ("No useful fact was found.",)) for read in support.facts))


# -- what is open -----------------------------------------------------------------------------------------------------


def warnings(context: ExportContext) -> Iterator[Block]:
    rows = tuple((Strong(warning.kind), f": {warning.text}") for warning in warnings_of(context))
    none = "None: every part is complete, up to date and decided, and every link and title is accounted for."
    yield Bullets(rows) if rows else Paragraph(none)


def topic(context: ExportContext) -> Iterator[Block]:
    held = context.state.read("topic", Topic)
    yield Passage("topic", held.text) if held else Paragraph(NOT_MADE)


def works(context: ExportContext) -> Iterator[Block]:
    yield Paragraph("The texts name or cite these works, and the session has no such papers. Check that they exist before citing them.")
    named, cited = (found(context).items() for found in (unverified, unverified_citations))
    rows = [(f"{title} (", Strong("unverified"), f"; named in {', '.join(where)})") for title, where in named]
    rows += [(f"{text} (", Strong("unverified"), f"; cited in {', '.join(where)})") for text, where in cited]
    yield Bullets(tuple(rows))


COMMON: Mapping[str, Callable[[ExportContext, Branch], Iterator[Block | Section]]] = {
    "warnings": lambda context, _: warnings(context),
    "topic": lambda context, _: topic(context),
    "review": review,
    "works": lambda context, _: works(context),
    "sentences": lambda context, _: sentences(context),
}
"""Parts of the appendix that are the same in every format."""

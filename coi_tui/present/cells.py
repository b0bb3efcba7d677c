"""The documents of the cells that all methods share: what there is to read at an address."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping

from coi_tui.arena.matches import CRITERIA
from coi_tui.engine.declarations import CellKind
from coi_tui.literature.citations import marks_in
from coi_tui.methods.evidence.papers import OTHERWISE, named_line
from coi_tui.methods.evidence.reading_list import reading_list
from coi_tui.model.address import Branch, parse_address, ref, slot_of
from coi_tui.model.content import (
    CLOSENESS,
    NO_PASSAGE,
    CandidateList,
    CardContent,
    ComparedPaper,
    ExperimentPlan,
    IdeaClaim,
    IdeaContent,
    MatchRecord,
    NoveltyReport,
    NoveltySearch,
    ProposalContent,
    ReviewContent,
    ReviewPoint,
    RivalsContent,
    SlotReason,
    Topic,
    Verdicts,
)
from coi_tui.model.criteria import REF, Criteria, left_out
from coi_tui.model.document import (
    Block,
    Bullets,
    PaperEntry,
    PaperList,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    TableRow,
    plain_table,
)
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_name
from coi_tui.model.papers import Paper
from coi_tui.model.plan_scores import in_words, score, scored
from coi_tui.model.proposals import faults
from coi_tui.model.reviewing import (
    PARTS,
    Round,
    answer,
    answering,
    dismissed_before,
    mark_of,
    point_status,
    points_of,
)
from coi_tui.model.state import PDF, State
from coi_tui.model.text import clipped, count
from coi_tui.present.candidates import candidates, paper_blocks, ranks_text, section, title_of
from coi_tui.present.comparisons import (
    FLIP,
    compared,
    criteria,
    hidden_matches,
    is_shown,
    one_call_shown,
    pairs,
    rankings,
    too_few_shown,
)

NOTHING_MADE = "Nothing has been made here yet."
IDEA_SHOWN = 1200
"""Characters of each idea of a match."""
UNQUOTED = "cited without a passage that is in it"
SIGNS = {"close match": "!", "partial": "~", "not close": "."}
CLAIM_SIGNS = {"same": "=", "overlaps": "~", "different": "/"}
"""Signs for what a paper says of a claim; a point for no passage."""
BOXES = {"ticked": "[x]", "dismissed": "[-]"}


def document(state: State, kind: CellKind, address: str) -> Iterator[Block]:
    """What there is to read of a cell: as its kind says, else its fields."""
    version = state.in_use(address)
    if kind.role == "summary" and version is not None:
        card = state.content(version, CardContent)
        yield section("Read from", "; ".join(filter(None, (card.source, card.note))))
    make = kind.document or SHARED.get(kind.name) or kind.fields_document
    yield from make(state, address)
    yield from _sources(state, kind, address)
    if kind.role == "experiment" and version is not None:
        if answers := state.content(version, ExperimentPlan).answers:
            lines = (f"{a.point}. {a.change or f'Rebutted: {a.rebuttal}'}" for a in answers)
            yield Section("Answers to the review", (Bullets(tuple(lines)),))
        yield from _score(state, version)


def _sources(state: State, kind: CellKind, address: str) -> Iterator[Block]:
    """The papers that a text cites, each with the words of it that the text rests on."""
    version = state.in_use(address)
    content = state.content(version, kind.content) if version and kind.content else None
    text = "\n".join(value for _, value in content or () if isinstance(value, str))
    words: dict[str, list[str]] = {}
    for source in getattr(content, "sources", ()):
        if source.found:
            words.setdefault(source.paper, []).append(source.words)
    entries = (
        PaperEntry(paper, tuple(f"“{quote}”" for quote in words.get(paper, ())) or (UNQUOTED,))
        for paper in marks_in(text, state.papers).values()
    )
    if found := tuple(entries):
        yield Section("Sources", (PaperList(found),))


# -- the session


def _topic(state: State, address: str) -> Iterator[Block]:
    topic = state.read(address, Topic) or Topic()
    yield Passage(address, topic.text or "-", "person")
    if topic.hunch:
        yield section("Hunch", topic.hunch)
    if lines := Criteria.of(state.value(REF)).lines():
        yield Section("Criteria (yours)", (Bullets(tuple(lines)),))


def _criteria(state: State, address: str) -> Iterator[Block]:
    lines = Criteria.of(state.value(REF)).lines()
    yield Bullets(tuple(lines)) if lines else Paragraph("No criteria: nothing is left out.")


def _shelf(state: State, address: str) -> Iterator[Block]:
    if not state.shelf:
        yield Paragraph("Nothing was rejected, replaced or detached.")
    for item in state.shelf:
        yield section(
            f"{item.kind} from {item.where if item.branch else 'the session'}",
            f"{title_of(state, item.paper)}. {item.reason or 'No reason given.'}",
        )


def _reading(state: State, address: str) -> Iterator[Block]:
    found = reading_list(state)
    rows = (
        TableRow(
            (
                str(e.rank),
                str(e.paper.year or "????"),
                "-" if e.paper.citations.count is None else str(e.paper.citations.count),
                e.paper.title,
            ),
            e.paper.id,
            (Paragraph(e.reasons()),) if e.reasons() else (),
            e.paper.id,
        )
        for e in found.entries
    )
    if found.entries:
        yield Table(("rank", "year", "cited", "title"), tuple(rows))
    else:
        yield Paragraph("No paper was found.")
    if found.searched:
        yield Section("Searched", (Bullets(found.searched),))
    if found.note:
        yield section("Note", found.note)


# -- papers


def _slot(state: State, address: str) -> Iterator[Block]:
    slot = state.slot(address)
    if slot.paper is None:
        yield Paragraph("Empty. Choose a candidate or pin a paper.")
        yield from _candidates(state, f"{address}.cands")
        return
    paper = state.papers.get(slot.paper)
    if paper is None:
        yield Paragraph(f"{slot.paper}: its record is missing.")
        return
    reason, (people, abstract) = slot.reason, paper_blocks(paper)
    yield Paragraph(paper.title)
    yield people
    yield section("Why here", why_here(state, reason))
    if out := left_out(paper, Criteria.of(state.value(REF))):
        yield section("Criteria", f"your criteria leave such a paper out: {out}")
    if reason.link:
        evidence = f" ({reason.evidence})" if reason.evidence else ""
        yield section("Link", f"{reason.link}{evidence}")
    if reason.reasoning:
        yield section("Verdict", f"{reason.grades}. {reason.reasoning}")
    yield from _read_of(state, address, paper)
    yield abstract


def _read_of(state: State, address: str, paper: Paper) -> Iterator[Block]:
    """The researcher's own PDF of the paper in a slot, and what its card says."""
    version = state.in_use(f"{address}.card")
    if (own := state.attached.get(paper.id)) is not None:
        pdf = ref(address, PDF)
        unread = version is not None and version.inputs.get(pdf) != state.meaning(pdf)
        behind = "; the card was read without it: refresh the card" if unread else ""
        yield section("Your PDF", f"{own['file']}, attached to this paper{behind}")
    if version is not None:
        card = state.content(version, CardContent)
        yield section("Card", f"read from {card.source or 'a text'}: {card.move}")
        yield section("Limits", card.limits)


def why_here(state: State, reason: SlotReason) -> str:
    """How a paper came into its slot."""
    if reason.by_you:
        return "put here by you"
    if reason.rank is None:
        return "-"
    around = f"the papers around {title_of(state, reason.neighbour)}"
    where = f"question {reason.question}" if reason.question else around
    by = f", by {ranks_text(reason.ranks)}" if reason.ranks else ""
    return f"rank {reason.rank} of {reason.of} for {where}; match {reason.score:.2f} ({reason.ranked}){by}; {reason.source}"


def _candidates(state: State, address: str) -> Iterator[Block]:
    listed, found = state.read(address, CandidateList), candidates(state, slot_of(address))
    if listed is None:
        return
    rows = (
        (
            str(one.rank),
            f"{one.match:.2f}",
            str(one.year or "????"),
            "; ".join(filter(None, (one.link, ranks_text(one.ranks), *one.flags))),
            one.title,
        )
        for one in found.entries
        if one.rank is not None
    )
    table: Block = Paragraph("none")
    if listed.entries:
        table = plain_table(("rank", "match", "year", "notes", "title"), rows)
    yield Section("Candidates", (table,))
    if listed.ranked:
        yield section("Ranked", listed.ranked)
    if found.searched:
        yield Section("Searched", (Bullets(found.searched),))


def _relevance(state: State, address: str) -> Iterator[Block]:
    for one in (state.read(address, Verdicts) or Verdicts()).verdicts:
        yield section(f"{one.told}: {title_of(state, one.paper)}", one.reasoning)


def _rivals(state: State, address: str) -> Iterator[Block]:
    """The works near the thought behind an idea, then the titles from memory that are no
    paper's."""
    found = state.read(address, RivalsContent) or RivalsContent()
    other = OTHERWISE
    named = {w.paper: named_line(state, w) for w in found.named if w.status == other}
    rows = []
    for work in found.works:
        texts = {
            "Named from memory": named.get(work.paper, ""),
            "What is the same": work.same,
            "What is left": work.left,
            "Abstract": work.abstract,
        }
        details = tuple(section(name, text) for name, text in texts.items() if text)
        cells = (work.status, str(work.year or "????"), work.title)
        rows.append(TableRow(cells, work.paper or work.title, details, work.paper))
    for title in found.named:
        if not title.paper:
            note = (Paragraph(title.note or "No paper of this title was found."),)
            cells = (title.status, str(title.year or "????"), title.title)
            rows.append(TableRow(cells, title.title, note))
    yield Table(("", "year", "title"), tuple(rows))
    phrases = ", ".join(f"“{phrase}”" for phrase in found.phrases)
    notes = (f"Searched: {phrases}." if phrases else "", found.ranked, found.note)
    yield Paragraph(" ".join(filter(None, notes)))


# -- novelty


def _novelty(state: State, address: str) -> Iterator[Block]:
    report = state.read(address, NoveltyReport)
    if report is None:
        return
    branch = parse_address(address).branch
    yield Paragraph(verdict_text(report))
    if own := state.own_verdict(branch):
        yield section("Your verdict", own)
    if report.claims:
        claims = (claim_name(n, claim) for n, claim in enumerate(report.claims, 1))
        by = " (yours)" if report.claims_by else ""
        yield Section(f"Claims{by}", (Bullets(tuple(claims)),))
    if report.summary:
        yield section("Summary", report.summary)
    rows = (_compared(state, branch, report, row) for row in compared(state, branch))
    yield Table(("", "year", "claims", "you", "title"), tuple(rows))
    yield section(
        "Searches",
        "\n".join(
            [
                *map(_search, report.searches),
                "Not searched: theses, patents, anything without an abstract. A search, not a proof.",
            ]
        ),
    )
    if report.named:
        named = (named_line(state, work) for work in report.named)
        yield Section("Works that the idea names", (Bullets(tuple(named)),))


def verdict_text(report: NoveltyReport) -> str:
    """What a report found, or why it concludes nothing."""
    if not report.concludes:
        return f"INCONCLUSIVE: {report.reason}"
    close, partial, other = report.numbers()
    topical = f" ({report.on_topic} on the topic)" if report.floor else ""
    return (
        f"In {count(close + partial + other, 'paper')} searched{topical}:"
        f" {count(close, CLOSENESS[0], 'close matches')}, {partial} partial, {other} not close."
        " This is a search result, not proof of novelty."
    )


def _search(s: NoveltySearch) -> str:
    what = f"claim {s.claim}: " if s.claim else ""
    what = "the whole idea: " if s.whole else f"against it, {s.angle}: " if s.angle else what
    note = f" ({s.note})" if s.note else ""
    return f"{what}“{s.query}” in {s.source} {s.date}: {count(s.hits, 'hit')}, {s.outcome}{note}"


def _compared(state: State, branch: Branch, report: NoveltyReport, row: ComparedPaper) -> TableRow:
    paper = state.papers.get(row.paper)
    avoid = any(case.paper == row.paper for case in state.bad.get(branch, ()))
    yours = state.judged.get((branch, row.paper), "")
    overlap = f", overlap: {row.overlap}" if row.overlap else ""
    note = state.judged_notes.get((branch, row.paper))
    return TableRow(
        (
            f"{SIGNS.get(row.verdict, '?')} {row.verdict}",
            str(paper.year or "????") if paper else "????",
            "".join(CLAIM_SIGNS.get(cell.judgement, ".") for cell in row.cells),
            "; ".join(filter(None, ("NEW" if row.new else "", "avoid" if avoid else "", yours))),
            title_of(state, row.paper),
        ),
        row.paper,
        (
            section("Verdict", f"{row.verdict}{overlap}. {row.reason}"),
            *claim_blocks(report, row),
            *((section("Your judgement", yours),) if yours else ()),
            *((section("Your note (in the export)", note),) if note else ()),
        ),
        row.paper,
    )


def claim_name(n: int, claim: IdeaClaim) -> str:
    """``2 problem: readers wait``."""
    return f"{n} {claim.kind or 'claim'}: {claim.text}"


def claim_blocks(report: NoveltyReport, row: ComparedPaper) -> Iterator[Block]:
    """What a paper says of each claim; nothing in a report without claims."""
    for cell in row.cells:
        if not 1 <= cell.claim <= len(report.claims):
            continue
        name = f"Claim {claim_name(cell.claim, report.claims[cell.claim - 1])}"
        if cell.passage:
            yield Section(name, (Quote(cell.passage, cell.judgement),))
        else:
            dropped = (
                f" (judged “{cell.said}” by words that are not in the title or abstract)"
                if cell.said
                else ""
            )
            yield section(name, f"{NO_PASSAGE}{dropped}")


def _bad(state: State, address: str) -> Iterator[Block]:
    for case in state.bad.get(parse_address(address).branch, ()):
        texts = (
            case.reason,
            f"Shared: {case.shared}" if case.shared else "",
            f"The draft: {case.idea}" if case.idea else "",
        )
        yield section(case.title, "\n".join(filter(None, texts)))


# -- matches


def _arena(state: State, address: str) -> Iterator[Block]:
    waiting, found = hidden_matches(state), rankings(state)
    if waiting:
        yield Paragraph(f"{waiting}, or for M in the arena (=).")
    elif not found:
        yield Paragraph("No matches yet.")
    for ranking in found:
        bounds = ranking.bounds
        rows = (
            (
                f"{s.player}/idea",
                f"{s.average:.1f}",
                f"{s.points:.1f}",
                f"{s.strength:.2f}",
                "{:.2f} to {:.2f}".format(*bounds[s.player]),
            )
            for s in ranking.table
        )
        head = ("idea", "Elo", "points", "strength", "95 % interval")
        yield Section(f"By {ranking.by}", (plain_table(head, rows),))
    if found and (won := one_call_shown(state)):
        yield Paragraph(won)
    if found and (few := too_few_shown(state)):
        yield Paragraph(f"Too few matches to rank: {few}.")
    if found:
        none = "none chosen; until then the leader is used"
        yield section("Your idea", f"{state.pick}/idea" if state.pick else none)
    if matches := pairs(state):
        yield Table(
            ("your votes", "match"), tuple(match_row(state, address) for address in matches)
        )


def match_row(state: State, address: str) -> TableRow:
    """A match in the list of the arena."""
    votes = sum(one.vote is not None for one in criteria(state, address))
    return TableRow((f"{votes} of {len(CRITERIA)}", match_title(state, address)), address)


def match_title(state: State, address: str) -> str:
    """Both ideas by their addresses once the match may be seen; by their titles before: an address
    tells the method."""
    at, names = parse_address(address), []
    for branch in (at.branch, at.other):
        idea = state.read(f"{branch}/idea", IdeaContent)
        title = f"“{clipped(idea.title, 6)}”" if idea and idea.title else "an idea without a title"
        names.append(f"{branch}/idea" if is_shown(state, address) else title)
    return " against ".join(names)


def _match(state: State, address: str) -> Iterator[Block]:
    """The votes; the judge's view after them or on demand; both texts."""
    at, match = parse_address(address), state.read(address, MatchRecord)
    shown, judged = is_shown(state, address), criteria(state, address)
    side = {at.branch: "left", at.other: "right", 0: "tie", None: "?"}
    visible = match is not None and shown
    rows = (
        (
            one.criterion,
            side[one.vote],
            *(
                (side[one.straight], side[one.swapped], FLIP if one.flips else side[one.result])
                if visible
                else ()
            ),
        )
        for one in judged
    )
    more = ("judge, order A-B", "B-A", "result") if visible else ()
    yield Section("Votes", (plain_table(("criterion", "you", *more), rows),))
    if match is None:
        yield Paragraph("Nobody but you has judged this match; g has it judged in both orders.")
    elif not shown:
        yield Paragraph(
            "Judged in both orders. The judge's view is hidden until you have voted on all criteria; M in the arena (=) shows it."
        )
    else:
        flips = sum(one.flips for one in judged)
        weak = ": weak evidence" if flips > 1 else ""
        yield Paragraph(
            f"The order changed the winner on {flips} of {count(len(judged), 'criterion', 'criteria')}{weak}."
            f" The longer text is {match.length_ratio} times as long as the shorter; a judge may favour length."
        )
        yield section("Judge, order A-B", str(match.straight.get("reasoning", "")))
        yield section("Judge, order B-A", str(match.swapped.get("reasoning", "")))
    for branch, name in ((at.branch, "Left"), (at.other, "Right")):
        idea = state.read(f"{branch}/idea", IdeaContent)
        if idea is not None:
            whose = f"{branch}/idea  " if shown else ""
            yield section(f"{name}: {whose}{idea.title}", idea.final[:IDEA_SHOWN])


# -- plan and review


def shown_plan(state: State, branch: Branch) -> Version | None:
    """The plan beside its review: the newest, where it was made from the one in use and is not in
    use itself; else that in use."""
    address = f"{branch}/exp"
    used, cell = state.in_use(address), state.cell(address)
    newest = state.versions[cell.versions[-1]] if cell.versions else None
    waits = newest is not None and newest.seq in cell.beside
    return newest if waits and used and newest and used.seq in newest.parents else used


def plan_before(state: State, branch: Branch, plan: Version) -> Version | None:
    """The version that a plan was made from."""
    versions = state.cell(f"{branch}/exp").versions
    older = next((seq for seq in plan.parents if seq in versions), None)
    return state.versions[older] if older is not None else None


def review_document(state: State, address: str, changes: bool = True) -> Iterator[Block]:
    """A review with what became of its points, and the plan that answers it. ``changes``: the plan
    part by part against the one before."""
    branch = parse_address(address).branch
    review, plan = state.in_use(address), f"{branch}/exp"
    if review is not None:
        content = state.content(review, ReviewContent)
        yield section("Of", f"{plan} {version_name(state, plan, content.of)}")
        if content.scores:
            yield section("Scores", scores_text(content.scores))
        one = answering(state, branch)
        answered = one if one and one.review.seq == review.seq else Round(review, None)
        rows = [_point(state, branch, answered, p) for p in points_of(state, branch, review)]
        if rows:
            yield Table(("", "", "status", "part", "point"), tuple(rows))
        else:
            yield Paragraph("The review has no points.")
    shown = shown_plan(state, branch)
    if shown is not None:
        before = plan_before(state, branch, shown)
        against = (
            f"against {version_name(state, plan, before.seq)}"
            if before
            else "made from no other version"
        )
        yield section(f"Plan {version_name(state, plan, shown.seq)}", against)
        yield from _score(state, shown)
        if changes:
            yield from _changes(state, before, shown)
        yield from _support(state, shown)


def _score(state: State, plan: Version) -> Iterator[Block]:
    if found := scored(state, plan):
        yield section("Score", f"{in_words(found).capitalize()}.")


def scores_text(scores: Mapping[str, int]) -> str:
    """The scores that a review gave, by criterion, with their mean."""
    each = ", ".join(f"{name} {given}" for name, given in scores.items())
    mean = score(scores)
    return f"{each} (1 to 10){f'; {mean} on average' if mean is not None else ''}"


def _point(state: State, branch: Branch, one: Round, point: ReviewPoint) -> TableRow:
    status = point_status(state, branch, one, point)
    mark = mark_of(state, branch, one.review, point)
    cells = (
        BOXES.get(mark, "[ ]"),
        str(point.n),
        status,
        f"{point.part}{' (yours)' if point.own else ''}",
        clipped(point.point, 16),
    )
    text = _status_text(state, branch, one, point)
    return TableRow(cells, str(point.n), (Paragraph(point.point), section("Status", text)))


def _status_text(state: State, branch: Branch, one: Round, point: ReviewPoint) -> str:
    """What became of a review point, in a sentence."""
    reply = answer(state, one, point)
    plan = version_name(state, f"{branch}/exp", one.plan.seq) if one.plan else ""
    match point_status(state, branch, one, point):
        case "dismissed":
            before = dismissed_before(state, branch, one.review, point)
            reason = state.dismissals.get((branch, *(before or (one.review.seq, point.n))))
            why = f": {reason}" if reason else ""
            again = (
                f", in review {version_name(state, f'{branch}/review', before[0])}; it was raised again and stays dismissed until Space ticks it"
                if before
                else ""
            )
            return f"Dismissed by you{why}{again}"
        case "ticked":
            return "Ticked: it is sent when the plan is refined."
        case "open":
            return "Open, not sent: Space ticks it, x dismisses it."
        case "done":
            return f"Done in plan {plan}. It says: {reply.change}"
        case "rebutted":
            return f"Plan {plan} changes nothing for it. The reason given: {reply.rebuttal}"
        case _ if reply.change:
            return f"Plan {plan} claims a change ({reply.change}), but its text is the same there as before."
        case _:
            return f"Plan {plan} does not answer it."


def _changes(state: State, before: Version | None, after: Version) -> Iterator[Block]:
    """The plan part by part; those that differ from the plan before say so."""
    new = state.content(after, ExperimentPlan)
    old = state.content(before, ExperimentPlan) if before is not None else new
    for part in PARTS:
        changed = "   (changed)" if old.part(part) != new.part(part) else ""
        if new.part(part) or changed:
            yield section(f"{part.capitalize()}{changed}", new.part(part))


def _support(state: State, plan: Version) -> Iterator[Block]:
    """What was searched and read for a refinement."""
    support = state.content(plan, ExperimentPlan).support
    if support is None:
        return
    lines = [f"Searched for “{query}”." for query in support.queries]
    for row in support.facts if support.queries else ():
        facts = count(len(row.facts), "fact") if row.facts else "of no use"
        known = state.papers.get(row.paper)
        lines.append(f"{known.title if known else row.title}: {facts}")
    yield Section(
        "Read for this version",
        (Bullets(tuple(lines)) if lines else Paragraph("Nothing was searched for this version."),),
    )


def _proposal(state: State, address: str) -> Iterator[Block]:
    """The text, what in it a reader could not follow, and the papers that its labels stand for."""
    content, version = state.read(address, ProposalContent), state.in_use(address)
    if content is None or version is None:
        return
    found = faults(f"{content.title}\n{content.text}", len(content.papers))
    if found and version.origin != "drafter":
        yield Section("A reader cannot follow", (Bullets(tuple(found)),))
    yield Section("Text", (Passage(address, content.text, version.origin),))
    papers = (f"[P{n}] {title_of(state, paper)}" for n, paper in enumerate(content.papers, 1))
    yield section("Papers", "\n".join(papers))


SHARED: Mapping[str, Callable[[State, str], Iterable[Block]]] = {
    "topic": _topic,
    "criteria": _criteria,
    "shelf": _shelf,
    "reading": _reading,
    "slot": _slot,
    "cands": _candidates,
    "rel": _relevance,
    "rivals": _rivals,
    "nov": _novelty,
    "bad": _bad,
    "arena": _arena,
    "match": _match,
    "review": review_document,
    "proposal": _proposal,
}
"""The documents of these cells, by the names of their kinds."""

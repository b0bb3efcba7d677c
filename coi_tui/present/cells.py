"""The documents of the cells that all methods share: what there is to read at an address."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from math import isfinite

from coi_tui.arena.ratings import CRITERIA
from coi_tui.engine.declarations import CellKind
from coi_tui.literature.citations import marks_in, without_mark
from coi_tui.methods.base.cell_table import stored, title_of
from coi_tui.methods.chain.chains import PDF, Chains
from coi_tui.methods.chain.slots import CANDIDATES, SUMMARY, slot_of
from coi_tui.methods.evidence.cards import OTHERWISE, named_line
from coi_tui.methods.evidence.reading_list import reading_list
from coi_tui.methods.ideas.bad_cases import BadCases
from coi_tui.methods.ideas.matches import won_by_one_call
from coi_tui.model.address import Branch, attached_to, cell_at, cell_ref, ref
from coi_tui.model.content import (
    CLOSENESS,
    NO_PASSAGE,
    NOTHING,
    CardContent,
    CitedSource,
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
    Rival,
    RivalsContent,
    SlotReason,
    Topic,
    Verdicts,
)
from coi_tui.model.criteria import REF, Criteria, left_out
from coi_tui.model.document import (
    Block,
    Bullets,
    Paragraph,
    Passage,
    Quote,
    Section,
    Table,
    TableRow,
    bulleted,
    plain_table,
    section,
)
from coi_tui.model.entries import Version
from coi_tui.model.proposals import faults
from coi_tui.model.reviewing import (
    PARTS,
    Round,
    answer,
    answering,
    changed_parts,
    dismissed_before,
    in_words,
    mark_of,
    plan_before,
    point_status,
    points_of,
    score,
    scored,
)
from coi_tui.model.state import State, version_name
from coi_tui.model.text import clipped, count, joined, listed
from coi_tui.present.candidate_list import candidates, paper_blocks, ranks_text, year_of
from coi_tui.present.comparisons import (
    FLIP,
    agreement_with_you,
    compared,
    criteria,
    hidden_matches,
    is_shown,
    pairs,
    rankings,
    results,
    votes,
)

Document = Iterator[Block]
"""What there is to read, block by block."""

NOTHING_MADE = "Nothing has been made here yet."
IDEA_SHOWN = 1200
"""Characters of each idea of a match."""
NOT_SEARCHED = "Not searched: theses, patents, anything without an abstract. A search, not a proof."
GENERATED = ("model", "scripted", "recorded")
UNQUOTED = "It is cited without a passage that is in it."
SIGNS = {"close match": "!", "partial": "~", "not close": "."}
CLAIM_SIGNS = {"same": "=", "overlaps": "~", "different": "/"}
"""Signs for what a paper says of a claim; a point for no passage."""
BARS = "·▁▂▃▄▅▆▇█"
BOXES = {"ticked": "[x]", "dismissed": "[-]"}


def document(state: State, kind: CellKind, address: str) -> Document:
    """What there is to read of a cell: as its kind says, else its fields."""
    version = state.in_use(address)
    if kind.role == "summary" and version:
        card = state.content(version, CardContent)
        yield section("Read from", joined("; ", card.source, card.note))
    make = kind.document or SHARED.get(kind.name) or kind.fields_document
    yield from make(state, address)
    yield from _sources(state, kind, address)
    if kind.role == "experiment" and version:
        if answers := state.content(version, ExperimentPlan).answers:
            lines = (f"{a.point}. {a.change or f'Rebutted: {a.rebuttal}'}" for a in answers)
            yield bulleted("Answers to the review", lines)
        yield from _score(state, version)


def _sources(state: State, kind: CellKind, address: str) -> Document:
    """The papers that a text cites, each with the words of it that the text rests on."""
    version = state.in_use(address)
    content = state.content(version, kind.content) if version and kind.content else None
    text = "\n".join(value for _, value in content or () if isinstance(value, str))
    quotes: dict[str, list[Quote]] = {}
    for source in getattr(content, "sources", ()):
        if isinstance(source, CitedSource) and source.found:
            quotes.setdefault(source.paper, []).append(Quote(source.words))
    entries: list[Block] = [
        Section(title_of(state, paper), tuple(quotes.get(paper, (Paragraph(UNQUOTED),))), paper)
        for paper in marks_in(text, state.papers).values()
    ]
    generated = version and version.origin in GENERATED and hasattr(content, "sources")
    if generated and (bare := without_mark(text)):
        named = count(bare, "sentence names", "sentences name")
        entries.append(Paragraph(f"{named} earlier work without a source."))
    if entries:
        yield Section("Sources", tuple(entries))


# -- the session


def _topic(state: State, address: str) -> Document:
    topic = stored(state, address, Topic)
    yield Passage(address, topic.text or "-", "person")
    if topic.hunch:
        yield section("Hunch", topic.hunch)
    if lines := Criteria.of(state.value(REF)).lines():
        yield bulleted("Criteria (yours)", lines)


def _criteria(state: State, address: str) -> Document:
    lines = Criteria.of(state.value(REF)).lines()
    yield Bullets(tuple(lines)) if lines else Paragraph("No criteria: nothing is left out.")


def _shelf(state: State, address: str) -> Document:
    shelf = Chains.of(state).shelf
    if not shelf:
        yield Paragraph("Nothing was rejected, replaced or detached.")
    for item in shelf:
        yield section(
            f"{item.kind} from {item.where if item.branch else 'the session'}",
            f"{title_of(state, item.paper)}. {item.reason or 'No reason given.'}",
        )


def sparkline(years: Sequence[int]) -> str:
    """How many there are of which years, in a line of at most 24 bars."""
    first, last = min(years), max(years)
    step = (last - first) // 24 + 1
    bars = Counter((year - first) // step for year in years)
    line = (BARS[-(-8 * bars[n] // max(bars.values()))] for n in range(max(bars) + 1))
    return f"{first} {''.join(line)} {last}"


def _reading(state: State, address: str) -> Document:
    found = reading_list(state)
    if years := [e.paper.year for e in found.entries if e.paper.year]:
        yield Paragraph(sparkline(years))
    rows = []
    for e in found.entries:
        cited = e.paper.citations.count
        cells = (str(e.rank), year_of(e.paper), "-" if cited is None else str(cited), e.paper.title)
        reasons = (Paragraph(e.reasons()),) if e.reasons() else ()
        rows.append(TableRow(cells, e.paper.id, reasons, e.paper.id))
    yield Table(("rank", "year", "cited", "title"), tuple(rows))
    if found.missing:
        lines = (f"{e.paper.title}: by {e.row.cited_by}" for e in found.missing)
        yield bulleted("Often cited by the papers found, in no chain", lines)
    if found.order:
        yield section("Order", found.order)
    yield bulleted("Searched", found.searched)
    if found.note:
        yield section("Note", found.note)


# -- papers


def _slot(state: State, address: str) -> Document:
    slot = Chains.of(state).slot(address)
    if slot.paper is None:
        yield Paragraph("Empty. Choose a candidate or pin a paper.")
        yield from _candidates(state, attached_to(address, CANDIDATES))
        return
    paper = state.papers.get(slot.paper)
    if paper is None:
        yield Paragraph(f"{slot.paper}: its record is missing.")
        return
    reason, (*people, abstract) = slot.reason, paper_blocks(paper)
    yield Paragraph(paper.title)
    yield from people
    yield section("Why here", why_here(state, reason))
    if out := left_out(paper, Criteria.of(state.value(REF))):
        yield section("Criteria", f"your criteria leave such a paper out: {out}")
    if reason.link:
        evidence = f" ({reason.evidence})" if reason.evidence else ""
        yield section("Link", f"{reason.link}{evidence}")
    if reason.reasoning:
        yield section("Verdict", f"{reason.grades}. {reason.reasoning}")
    if own := Chains.of(state).attached.get(paper.id):
        card, pdf = state.in_use(attached_to(address, SUMMARY)), ref(address, PDF)
        unread = card and card.inputs.get(pdf) != state.meaning(pdf)
        behind = "; the card was read without it: refresh the card" if unread else ""
        yield section("Your PDF", f"{own['file']}, attached to this paper{behind}")
    yield abstract


def why_here(state: State, reason: SlotReason) -> str:
    """How a paper came into its slot."""
    if reason.by_you:
        return "put here by you"
    if reason.rank is None:
        return "-"
    around = f"the papers around {title_of(state, reason.neighbour)}"
    where = f"question {reason.question}" if reason.question else around
    by = f", by {ranks_text(reason.ranks)}" if reason.ranks else ""
    return f"rank {reason.rank} of {reason.of} for {where}; fit {reason.score:.2f} ({reason.ranked}){by}; {reason.source}"


def _candidates(state: State, address: str) -> Document:
    found = candidates(state, slot_of(address))
    if state.in_use(address) is None:
        return
    rows = (
        (
            str(one.rank),
            f"{one.match:.2f}",
            str(one.year or "????"),
            joined("; ", one.link, ranks_text(one.ranks), *one.flags),
            one.title,
            one.why,
        )
        for one in found.entries
        if one.match is not None
    )
    head = ("rank", "fit", "year", "notes", "title", "why")
    yield Section("Candidates", (plain_table(head, rows),))
    if found.ranked:
        yield section("Ranked", joined(": ", found.ranked, found.order))
    yield bulleted("Searched", found.searched)


def _relevance(state: State, address: str) -> Document:
    for one in stored(state, address, Verdicts).verdicts:
        yield section(f"{one.in_words}: {title_of(state, one.paper)}", one.reasoning)


def _rival(state: State, work: Rival, named: str) -> TableRow:
    """The row of a work; ``named``: how a model named it where it is described otherwise."""
    texts = {
        "Named from memory": named if work.paper else named_line(state.papers, work),
        "What is the same": work.same,
        "What is left": work.left,
        "Abstract": work.abstract,
    }
    details = tuple(section(name, text) for name, text in texts.items() if text)
    cells = (work.status, str(work.year or "????"), work.title)
    return TableRow(cells, work.paper or work.title, details, work.paper)


def _rivals(state: State, address: str) -> Document:
    """The works near the thought behind an idea, those from memory that are no paper's too."""
    found = stored(state, address, RivalsContent)
    named = {w.paper: named_line(state.papers, w) for w in found.named if w.status == OTHERWISE}
    there = {work.title for work in found.works}
    # a session of an earlier version lists those that were not found apart
    apart = (w for w in found.named if not w.paper and w.title not in there)
    works = (*found.works, *(Rival.from_stored(w.model_dump()) for w in apart))
    yield Table(
        ("", "year", "title"), tuple(_rival(state, w, named.get(w.paper, "")) for w in works)
    )
    phrases = ", ".join(f"“{phrase}”" for phrase in found.phrases)
    searched = f"Searched: {phrases}." if phrases else ""
    yield Paragraph(joined(" ", searched, found.ranked, found.note))


# -- novelty


def _novelty(state: State, address: str) -> Document:
    report = state.read(address, NoveltyReport)
    if report is None:
        return
    branch = cell_ref(address).branch
    yield Paragraph(verdict_text(report))
    if report.since:
        yield Paragraph(report.since)
    if own := state.own_verdict(branch):
        yield section("Your verdict", own)
    if report.claims:
        by = " (yours)" if report.claims_by else ""
        claims = enumerate(report.claims, 1)
        yield bulleted(f"Claims{by}", (claim_name(n, c) + _met(report, n) for n, c in claims))
    shown = compared(state, branch)
    rows = (_compared(state, branch, report, row) for row in shown)
    yield Table(("", "year", "claims", "you", "title"), tuple(rows))
    if beside := len(report.papers) - len(shown):
        yield Paragraph(
            f"{count(beside, 'paper')} more found: not among the nearest, or without a word on a claim."
        )
    yield section("Searches", "\n".join([*map(_search, report.searches), NOT_SEARCHED]))
    if report.named:
        named = (named_line(state.papers, work) for work in report.named)
        yield bulleted("Works named from memory", named)


def verdict_text(report: NoveltyReport) -> str:
    """What a report found, or why it concludes nothing."""
    unread = f" Not read: {listed(report.unread)}." if report.unread else ""
    if not report.concludes:
        return f"INCONCLUSIVE: {report.reason}{unread}"
    close, partial, other = report.numbers()
    judged = close + partial + other
    claims = sorted({n for row in report.papers for n in _shared(row)})
    of = f"claim{'s' if len(claims) > 1 else ''} {listed(list(map(str, claims)))}"
    whole = sum(row.one_to_one for row in report.papers)
    maps = f" {count(whole, 'maps', 'map')} one to one: every claim is in it." if whole else ""
    found = {
        NOTHING: f"Nothing to the point was found among {count(judged, 'paper')}: none says anything of a claim.",
        CLOSENESS[
            0
        ]: f"Already done: {close} of {count(judged, 'paper')} make its core claims.{maps}",
        CLOSENESS[1]: f"Done in part: {partial} of {count(judged, 'paper')} share {of}.",
        CLOSENESS[2]: f"No match among the {count(judged, 'paper')} nearest to it.",
    }
    return f"{found[report.verdict]}{unread} This is a search result, not proof of novelty."


def _shared(row: ComparedPaper) -> list[int]:
    """The claims of the idea that a paper makes, all or in part."""
    return [c.claim for c in row.cells if {c.judgement, c.claimed} & {"same", "overlaps"}]


def _met(report: NoveltyReport, n: int) -> str:
    """In how many papers a claim is, all or in part."""
    judged = Counter(c.judgement for row in report.papers for c in row.cells if c.claim == n)
    found = ", ".join(f"{word} in {judged[word]}" for word in ("same", "overlaps") if judged[word])
    return f" ({found})" if found else ""


def _search(s: NoveltySearch) -> str:
    what = f"claim {s.claim}: " if s.claim else ""
    what = "the whole idea: " if s.whole else f"against it, {s.angle}: " if s.angle else what
    note = f" ({s.note})" if s.note else ""
    return f"{what}“{s.query}” in {s.source} {s.date}: {count(s.hits, 'hit')}, {s.outcome}{note}"


def _compared(state: State, branch: Branch, report: NoveltyReport, row: ComparedPaper) -> TableRow:
    paper = state.papers.get(row.paper)
    avoid = row.paper in avoided(state, branch)
    yours = state.judged.get((branch, row.paper), "")
    overlap = f", overlap: {row.overlap}" if row.overlap else ""
    lacks = [str(cell.claim) for cell in row.cells if cell.claim not in _shared(row)]
    missing = f" It does not make claim{'s' if len(lacks) > 1 else ''} {listed(lacks)}."
    verdict = f"{row.verdict}{', one to one' if row.one_to_one else ''}{overlap}"
    own = {
        "Your judgement": yours,
        "Your note (in the export)": state.judged_notes.get((branch, row.paper)),
    }
    return TableRow(
        (
            f"{SIGNS.get(row.verdict, '?')} {row.verdict}",
            year_of(paper),
            "".join(CLAIM_SIGNS.get(cell.judgement, ".") for cell in row.cells),
            joined("; ", "NEW" if row.new else "", "avoid" if avoid else "", yours),
            title_of(state, row.paper),
        ),
        row.paper,
        (
            section("Verdict", f"{verdict}. {row.reason}{missing if lacks else ''}"),
            *claim_blocks(report, row),
            *(section(name, text) for name, text in own.items() if text),
        ),
        row.paper,
    )


def avoided(state: State, branch: Branch) -> set[str]:
    """The papers from which the next draft of a branch must differ."""
    return {case.paper for case in BadCases.of(state).of_branch(branch)}


def claim_name(n: int, claim: IdeaClaim) -> str:
    """``2 problem: readers wait``."""
    return f"{n} {claim.kind or 'claim'}: {claim.text}"


def claim_blocks(report: NoveltyReport, row: ComparedPaper) -> Document:
    """What a paper says of each claim; nothing of those without a passage."""
    for cell in row.cells:
        if not 1 <= cell.claim <= len(report.claims):
            continue
        name = f"Claim {claim_name(cell.claim, report.claims[cell.claim - 1])}"
        if cell.passage:
            yield Section(name, (Quote(cell.passage, cell.judgement),))
        elif cell.claimed:
            why = f"judged “{cell.claimed}” by words that are not in the title or abstract"
            yield section(name, f"{NO_PASSAGE} ({why})")


def _bad(state: State, address: str) -> Document:
    for case in BadCases.of(state).of_branch(cell_ref(address).branch):
        shared = f"Shared: {case.shared}" if case.shared else ""
        draft = f"The draft: {case.idea}" if case.idea else ""
        yield section(case.title, joined("\n", case.reason, shared, draft))


# -- matches


def _arena(state: State, address: str) -> Document:
    waiting, matches = hidden_matches(state), pairs(state)
    if waiting:
        yield Paragraph(f"{waiting}, or for M in the arena (=).")
    elif not matches:
        yield Paragraph("No matches yet.")
    found = list(ranking_blocks(state))
    yield from found
    yield from interval_bars(state)
    if found:
        none = "none chosen; until then the leader is used"
        yield section("Your idea", cell_at(state.pick, "idea") if state.pick else none)
    if matches:
        yield Table(
            ("your votes", "match"), tuple(match_row(state, address) for address in matches)
        )


def ranking_blocks(state: State, *, every: bool = False) -> Document:
    """The standings by each kind of judgement, with how often One call won; of ``every`` match, or
    only where the model's judgement may be seen."""
    for ranking in rankings(state, every=every):
        rows = (
            (
                cell_at(s.player, "idea"),
                f"{s.rating.value:.0f}",
                s.rating.interval,
                f"{s.points:g} of {s.games}",
            )
            for s in ranking.table
        )
        head = ("idea", "rating", "95 % interval", "points")
        few = "Too few matches to rank: the interval of the first holds the last."
        said = (Paragraph(few),) if ranking.open else ()
        yield Section(f"By {ranking.by}", (plain_table(head, rows), *said))
    judged = results(state, every=every) or votes(state)
    both = agreement_with_you(state, every=every)
    if both.common:
        beyond = "" if both.kappa is None else f", kappa {both.kappa:.2f}"
        same = f"{both.same} of {count(both.common, 'criterion', 'criteria')}"
        yield Paragraph(f"The judge agrees with your votes on {same}{beyond}.")
    if won := won_by_one_call(state, judged):
        yield Paragraph(won)


def interval_bars(state: State) -> Document:
    """The ratings whose intervals have ends, each kind of judgement on a scale of its own."""
    for ranking in rankings(state):
        known = [s for s in ranking.table if isfinite(s.rating.high)]
        low = min((s.rating.low for s in known), default=0)
        cell = max((s.rating.high - low for s in known), default=0) / 24 or 1
        lines = []
        for one in known:
            ends = one.rating.low, one.rating.value, one.rating.high
            begin, at, end = (round((end - low) / cell) for end in ends)
            bar = f"{' ' * begin}{'─' * (at - begin)}●{'─' * (end - at)}"
            lines.append(f"{cell_at(one.player, 'idea'):10} {bar}")
        if lines:
            yield section(f"95 % intervals by {ranking.by}", "\n".join(lines))


def match_row(state: State, address: str) -> TableRow:
    """A match in the list of the arena."""
    votes = sum(one.vote is not None for one in criteria(state, address))
    return TableRow((f"{votes} of {len(CRITERIA)}", match_title(state, address)), address)


def match_title(state: State, address: str) -> str:
    """Both ideas by their addresses once the match may be seen; by their titles before: an address
    tells the method."""
    at, names = cell_ref(address), []
    for branch in (at.branch, at.rival):
        named = clipped(stored(state, cell_at(branch, "idea"), IdeaContent).title, 6)
        title = f"“{named}”" if named else "an idea without a title"
        names.append(cell_at(branch, "idea") if is_shown(state, address) else title)
    return " against ".join(names)


def _match(state: State, address: str) -> Document:
    """The votes; the judge's view after them or on demand; both texts."""
    at, match = cell_ref(address), state.read(address, MatchRecord)
    shown, judged = is_shown(state, address), criteria(state, address)
    side = {at.branch: "left", at.rival: "right", 0: "tie", None: "?"}
    head, rows = ("criterion", "you", "judge, order A-B", "B-A", "result"), []
    columns = 5 if match and shown else 2
    for one in judged:
        result = FLIP if one.flips else f"{'slightly ' * one.slight}{side[one.result]}"
        row = one.criterion, side[one.vote], side[one.straight], side[one.swapped], result
        rows.append(row[:columns])
    yield Section("Votes", (plain_table(head[:columns], rows),))
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
        )
        yield section("Judge, order A-B", str(match.straight.get("reasoning", "")))
        yield section("Judge, order B-A", str(match.swapped.get("reasoning", "")))
    for branch, name in ((at.branch, "Left"), (at.rival, "Right")):
        if idea := state.read(cell_at(branch, "idea"), IdeaContent):
            whose = f"{branch}/idea  " if shown else ""
            yield section(f"{name}: {whose}{idea.title}", idea.final[:IDEA_SHOWN])


# -- plan and review


def shown_plan(state: State, branch: Branch) -> Version | None:
    """The plan shown with its review: the newest, where it was made from the one in use and is not in
    use itself; else that in use."""
    address = cell_at(branch, "exp")
    used, cell = state.in_use(address), state.cell(address)
    newest = state.versions[cell.versions[-1]] if cell.versions else None
    waits = newest and used and newest.seq in cell.beside and used.seq in newest.parents
    return newest if waits else used


def review_document(state: State, address: str) -> Document:
    """A review with what became of its points, and what the newest plan changed."""
    branch = cell_ref(address).branch
    review, plan = state.in_use(address), cell_at(branch, "exp")
    if review:
        content = state.content(review, ReviewContent)
        yield section("Of", f"{plan} {version_name(state, plan, content.of)}")
        if content.scores:
            yield section("Scores", scores_text(content.scores))
        one = answering(state, branch) or Round(review, None)
        rows = tuple(_point(state, branch, one, p) for p in points_of(state, branch, review))
        table = Table(("", "", "status", "part", "point"), rows)
        yield table if rows else Paragraph("The review has no points.")
    shown = shown_plan(state, branch)
    if shown:
        before, new = plan_before(state, shown), state.content(shown, ExperimentPlan)
        against = f"against {version_name(state, plan, before.seq)}" if before else "the first"
        yield section(f"Plan {version_name(state, plan, shown.seq)}", against)
        yield from _score(state, shown)
        changed = changed_parts(state, before, shown) if before else ()
        for part in PARTS:
            if part in changed:
                yield section(f"{part.capitalize()} (changed)", new.part(part))
        if new.support:  # what was searched and read for a refinement
            queries = (f"Searched for “{query}”." for query in new.support.queries)
            facts = (f"{r.title}: {count(len(r.facts), 'fact')}" for r in new.support.facts)
            none = "Nothing was searched for this version."
            yield bulleted("Read for this version", (*queries, *facts), none)


def _score(state: State, plan: Version) -> Document:
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
    text = _status_text(state, branch, one, point, status)
    return TableRow(cells, str(point.n), (Paragraph(point.point), section("Status", text)))


_STATUS = {
    "ticked": "Ticked: it is sent when the plan is refined.",
    "open": "Open, not sent: Space ticks it, x dismisses it.",
    "remark": "A remark: nothing follows from it, unless Space ticks it.",
    "done": "Done in plan {plan}. It says: {change}",
    "rebutted": "Plan {plan} changes nothing for it. The reason given: {rebuttal}",
    "only claimed": "Plan {plan} claims a change ({change}), but its text is the same there as before.",
    "not addressed": "Plan {plan} does not answer it.",
}
RAISED_AGAIN = ", in review {review}; it was raised again and stays dismissed until Space ticks it"


def _status_text(state: State, branch: Branch, one: Round, point: ReviewPoint, status: str) -> str:
    """What became of a review point, in a sentence."""
    if status == "dismissed":
        before = dismissed_before(state, branch, one.review, point)
        reason = state.dismissals.get((branch, *(before or (one.review.seq, point.n))))
        review = version_name(state, cell_at(branch, "review"), before[0]) if before else ""
        again = RAISED_AGAIN.format(review=review) if before else ""
        return f"Dismissed by you{f': {reason}' if reason else ''}{again}"
    reply = answer(state, one, point)
    if status == "not addressed" and reply.change:
        status = "only claimed"
    plan = version_name(state, cell_at(branch, "exp"), one.plan.seq) if one.plan else ""
    return _STATUS[status].format(plan=plan, change=reply.change, rebuttal=reply.rebuttal)


def _proposal(state: State, address: str) -> Document:
    """The text, and what in it a reader could not follow."""
    version = state.in_use(address)
    if version is None:
        return
    content = state.content(version, ProposalContent)
    found = faults(f"{content.title}\n{content.text}", 0)
    if found and version.origin != "drafter":
        yield bulleted("A reader cannot follow", found)
    yield Section("Text", (Passage(address, content.text, version.origin),))


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

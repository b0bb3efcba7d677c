"""A cell as titled parts of plain text: what the detail pane and ``coi show`` display."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from coi_tui.engine.declarations import CellKind
from coi_tui.literature.title_match import normalise_title
from coi_tui.methods.evidence import named_works
from coi_tui.methods.evidence.reading_entries import reading_list
from coi_tui.methods.ideas.claims import claim_lines, claim_name
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import PAIR, Branch, parse_address, place, ref
from coi_tui.model.content import (
    CLOSENESS,
    CandidateList,
    CandidateRow,
    CardContent,
    ComparedPaper,
    ExperimentPlan,
    MatchRecord,
    Named,
    Note,
    NoveltyReport,
    ReviewContent,
    SlotReason,
    Topic,
    Verdicts,
)
from coi_tui.model.criteria import REF, Criteria, left_out
from coi_tui.model.entries import Version
from coi_tui.model.naming import version_name
from coi_tui.model.papers import Paper
from coi_tui.model.plan_scores import in_words, scored
from coi_tui.model.reviewing import Round, answer, answering, point_status, points_of
from coi_tui.model.state import PDF, State
from coi_tui.model.text import count
from coi_tui.session.queries.candidates import Part, paper_lines
from coi_tui.session.queries.comparisons import (
    Ranking,
    is_shown,
    one_call_shown,
    rankings,
    told_hidden,
    too_few_shown,
)
from coi_tui.session.queries.experiment import (
    scores_text,
)
from coi_tui.session.queries.provenance import extent
from coi_tui.session.wording import origin_of


@dataclass(frozen=True)
class Detail:
    """``title`` in one line; ``parts`` are (heading, text) pairs; an empty heading is running
    text."""

    address: str
    title: str
    parts: tuple[Part, ...]


def detail(state: State, methods: SessionMethods, address: str) -> Detail:
    """What there is to read at an address; says so where nothing has been made yet."""
    if address in state.instances and (method := methods.of_instance(address)) is not None:
        return Detail(
            address, f"{address}  {method.name}", tuple(_of_instance(state, methods, address))
        )
    kind = methods.kind(address)
    describe = (kind.describe if kind is not None else None) or _SHARED.get(
        kind.name if kind is not None else ""
    )
    parts = tuple(
        describe(state, address) if describe is not None else fields_of(state, kind, address)
    )
    if kind is not None and kind.name == "slot" and parse_address(address).pos == 0:
        parts += _of_branch(state, methods, address)
    parts += tuple(_unverified(state, kind, address))
    if (version := state.in_use(address)) is not None:
        parts += tuple(
            ("REASONING (before the answer, no part of it)", said) for said in reasoned(version)
        )
    if note := state.notes.get(address):
        parts += (("NOTE (you)", note),)
    return Detail(
        address, _title(state, kind, address), parts or (("", "Nothing has been made here yet."),)
    )


def _of_instance(state: State, methods: SessionMethods, instance: str) -> Iterator[Part]:
    """The stages of a method that was added, and how far it has come."""
    if (method := methods.of_instance(instance)) is not None:
        reached = method.reached(state)
        yield ("", f"Has come to {reached}." if reached else "Nothing has been made here yet.")
        yield ("STAGES", ", ".join(method.stages))
    if note := state.notes.get(instance):
        yield ("NOTE (you)", note)


def _unverified(state: State, kind: CellKind | None, address: str) -> Iterator[Part]:
    """Works that a text names and that are no papers of this session; what a summary says of a
    paper is not asked about."""
    version = state.in_use(address)
    if (
        version is None
        or kind is None
        or kind.content is None
        or not kind.editable
        or kind.role in ("summary", "question")
    ):
        return
    from coi_tui.present.titles import unverified_in  # its patterns take a while to load

    content = state.content(version, kind.content)
    texts = [value_text(getattr(content, field.name)) for field in kind.fields]
    own = frozenset(
        normalise_title(str(said))
        for said in (state.value("topic#text") or "", getattr(content, "title", ""))
    )
    if found := unverified_in(texts, state.papers, own):
        yield ("UNVERIFIED (named in this text, and no paper of this session)", "\n".join(found))


def reasoned(version: Version) -> Iterator[str]:
    """What the model wrote of its reasoning before each of the answers that a version was made
    from."""
    draft = version.recipe.get("draft")
    for recipe in (draft if isinstance(draft, Mapping) else {}, version.recipe):
        if said := str(recipe.get("reasoning") or ""):
            yield said


def _of_branch(state: State, methods: SessionMethods, address: str) -> tuple[Part, ...]:
    """What there is to say of a chain, where its first paper is shown."""
    branch = str(parse_address(address).branch)
    kind = methods.kind(branch)
    held = state.slot(address).paper
    return (
        tuple(kind.describe(state, branch))
        if held in state.papers and kind is not None and kind.describe is not None
        else ()
    )


def _title(state: State, kind: CellKind | None, address: str) -> str:
    at = parse_address(address)
    if at.part == "slot":
        role = "Anchor" if at.pos == 0 else "Predecessor" if at.pos < 0 else "Successor"
        return f"{address}  {role} of branch {at.branch}, {state.slot(address).verdict}"
    version = state.in_use(address)
    made = (
        f"  {version_name(state, address, version.seq)}, {origin_of(version).value}"
        if version
        else ""
    )
    between = f" between {place(at.pos)} and {place(at.newer)}" if at.part == PAIR else ""
    return f"{address}  {kind.title if kind is not None else at.part}{between}{made}"


def fields_of(state: State, kind: CellKind | None, address: str) -> Iterator[Part]:
    """The editable fields of a cell, or whatever its model holds where none are declared."""
    version = state.in_use(address)
    if version is None or kind is None or kind.content is None:
        return
    content = state.content(version, kind.content)
    if kind.role == "summary":
        yield ("READ FROM", _read_from(state.content(version, CardContent)))
    set_ones = [name for name in kind.content.model_fields if name in content.model_fields_set]
    for name in [field.name for field in kind.fields] or set_ones:
        yield ("" if name == "text" else name.upper(), value_text(getattr(content, name)))
    yield from _after_fields(state, kind, version)


def _read_from(card: CardContent) -> str:
    return f"{card.source}; {card.note}" if card.note else card.source


def _after_fields(state: State, kind: CellKind, version: Version) -> Iterator[Part]:
    """The note of a question, and what a refined plan answered to its review."""
    said = {field.name for field in kind.fields}
    if (
        kind.role == "question"
        and "note" not in said
        and (note := state.content(version, Note).note)
    ):
        yield ("NOTE", note)
    if kind.role == "experiment":
        yield from _refined(state, version)


def _refined(state: State, version: Version) -> Iterator[Part]:
    """What a plan answers to its review, and how it was scored."""
    if answers := state.content(version, ExperimentPlan).answers:
        yield (
            "ANSWERS TO THE REVIEW",
            "\n".join(f"{a.point}. {a.change or f'Rebutted: {a.rebuttal}'}" for a in answers),
        )
    if held := scored(state, version):
        yield ("SCORE", f"{in_words(held).capitalize()}.")


def _topic(state: State, address: str) -> Iterator[Part]:
    topic = state.read(address, Topic) or Topic()
    yield ("", value_text(topic.text))
    if topic.hunch:
        yield ("HUNCH", topic.hunch)
    if said := Criteria.of(state.value(REF)).lines():
        yield ("CRITERIA (yours)", "\n".join(f"- {line}" for line in said))


def _criteria(state: State, address: str) -> Iterator[Part]:
    yield (
        "",
        "\n".join(f"- {line}" for line in Criteria.of(state.value(REF)).lines())
        or "No criteria: nothing is left out.",
    )


def value_text(value: Any) -> str:
    """A field as text: lists as lines, entities as ``name: description``."""
    if value in (None, "", [], {}):
        return "-"
    if isinstance(value, list):
        return "\n".join(f"- {_item(v)}" for v in value)
    return str(value)


def _item(value: Any) -> str:
    if isinstance(value, Named):
        return f"{value.name.rstrip('.')}: {value.description}" if value.description else value.name
    return str(value)


def _slot(state: State, address: str) -> Iterator[Part]:
    held = state.slot(address)
    if held.paper is None:
        yield ("", "Empty. Choose a candidate or pin a paper.")
        yield from _candidates(state, f"{address}.cands")
        return
    paper = state.papers.get(held.paper)
    if paper is None:
        yield ("", f"{held.paper}: its record is missing.")
        return
    lines, reason = list(paper_lines(paper)), held.reason
    yield from lines[:2]
    yield ("WHY HERE", _why_here(state, reason))
    if out := left_out(paper, Criteria.of(state.value(REF))):
        yield ("CRITERIA", f"your criteria leave such a paper out: {out}")
    if reason.link:
        yield ("LINK", f"{reason.link} ({reason.evidence})" if reason.evidence else reason.link)
    if reason.reasoning:
        yield ("VERDICT", f"{reason.grades}. {reason.reasoning}")
    yield from _read_of(state, address, paper)
    yield from lines[2:]


def _read_of(state: State, address: str, paper: Paper) -> Iterator[Part]:
    """The researcher's own PDF of the paper in a slot, and what its card says."""
    version = state.in_use(f"{address}.card")
    if (own := state.attached.get(paper.id)) is not None:
        unread = version is not None and version.inputs.get(ref(address, PDF)) != state.meaning(
            ref(address, PDF)
        )
        behind = "; the card was read without it: refresh the card" if unread else ""
        yield ("YOUR PDF", f"{own['file']}, attached to this paper{behind}")
    if version is not None:
        card = state.content(version, CardContent)
        yield ("CARD", f"read from {card.source or 'a text'}: {card.move}")
        yield ("LIMITS", card.limits)


def _why_here(state: State, reason: SlotReason) -> str:
    if reason.by_you:
        return "put here by you"
    if reason.rank is None:
        return "-"
    neighbour = state.papers.get(reason.neighbour)
    around = f"the papers around {neighbour.title if neighbour else reason.neighbour}"
    where = f"question {reason.question}" if reason.question else around
    return f"rank {reason.rank} of {reason.of} for {where}; match {reason.score:.2f} ({reason.ranked}){_by_signal(reason)}; {reason.source}"


def _by_signal(reason: SlotReason) -> str:
    """The rank by each signal: ``, by similarity #2, reading list #1``."""
    return (
        f", by {', '.join(f'{signal} #{rank}' for signal, rank in reason.ranks.items())}"
        if reason.ranks
        else ""
    )


def _candidates(state: State, address: str) -> Iterator[Part]:
    listed = state.read(address, CandidateList)
    if listed is None:
        return
    reach = extent(listed, parse_address(address).pos)
    rows = "\n".join(_candidate_line(state, row) for row in listed.entries)
    yield (f"CANDIDATES (rank, match, year){f'   {reach}' if reach else ''}", rows or "none")
    yield ("RANKED", listed.ranked)
    for t in listed.tries:
        yield (
            "SEARCHED",
            f"“{t.query}” in {t.source} {t.date}: {count(t.hits, 'hit')}. {t.note}",
        )
    if listed.note:
        yield ("NOTE", listed.note)


def _candidate_line(state: State, row: CandidateRow) -> str:
    paper = state.papers.get(row.paper)
    parts = [
        f"{row.rank:>3}",
        f"{row.score:.2f}",
        str(row.year or "????"),
        paper.title if paper else row.paper,
        row.link,
    ]
    parts += [", ".join(f"{signal} #{n}" for signal, n in row.ranks.items())]
    parts += [
        "" if row.readable else "no abstract",
        f"left out by your criteria: {row.left_out}" if row.left_out else "",
    ]
    return "  ".join(part for part in parts if part)


def _relevance(state: State, address: str) -> Iterator[Part]:
    judged = state.read(address, Verdicts) or Verdicts()
    for v in judged.verdicts:
        paper = state.papers.get(v.paper)
        yield (f"{v.told}: {paper.title if paper else v.paper}", v.reasoning)


def _novelty(state: State, address: str) -> Iterator[Part]:
    report = state.read(address, NoveltyReport)
    if report is None:
        return
    numbers = report.numbers()
    counts = ", ".join(
        f"{n} {word}{'es' if word == CLOSENESS[0] and n != 1 else ''}"
        for word, n in zip(CLOSENESS, numbers, strict=True)
    )
    topical = f" ({report.on_topic} on the topic)" if report.floor else ""
    head = f"In {count(sum(numbers), 'paper')} searched{topical}: {counts}. This is a search result, not proof of novelty."
    yield ("", f"INCONCLUSIVE: {report.why}" if report.verdict == "INCONCLUSIVE" else head)
    yield from _own_verdict_and_claims(state, address, report)
    for s in report.searches:
        what = "The whole idea: " if s.whole else f"Against it, {s.angle}: " if s.angle else ""
        yield (
            "SEARCHED",
            f"{what}“{s.query}” in {s.source} {s.date}: {count(s.hits, 'hit')}, {s.outcome}. {s.note}",
        )
    if report.named:
        yield (
            "WORKS THAT THE IDEA NAMES",
            "\n".join(named_works.line(state, work) for work in report.named),
        )
    if report.summary:
        yield ("SUMMARY", report.summary)
    for row in report.papers:
        yield _compared_paper(state, parse_address(address).branch, report, row)


def _own_verdict_and_claims(state: State, address: str, report: NoveltyReport) -> Iterator[Part]:
    """The person's own verdict on the idea, and the claims that it was cut into."""
    if own := state.own_verdict(parse_address(address).branch):
        yield ("YOUR VERDICT", own)
    if report.claims:
        by = " (YOURS)" if report.claims_by else ""
        yield (
            f"CLAIMS{by}",
            "\n".join(claim_name(n, claim) for n, claim in enumerate(report.claims, start=1)),
        )


def _compared_paper(
    state: State, branch: Branch, report: NoveltyReport, row: ComparedPaper
) -> Part:
    paper = state.papers.get(row.paper)
    title = f"{paper.title} {paper.year or ''}".rstrip() if paper is not None else row.paper
    overlap = f" (overlap: {row.overlap})" if row.overlap else ""
    mine = state.judged.get((branch, row.paper))
    note = state.judged_notes.get((branch, row.paper))
    said = [
        f"{row.reason}{overlap}",
        *(claim_lines(report, row) if overlap else ()),
        f"YOU: {mine}" if mine else "",
        f"YOUR NOTE: {note}" if note else "",
    ]
    return (f"{row.verdict}{' NEW' if row.new else ''}: {title}", "\n".join(filter(None, said)))


def _match(state: State, address: str) -> Iterator[Part]:
    match = state.read(address, MatchRecord)
    if match is None:
        return
    if not is_shown(state, address):
        yield (
            "",
            "Judged in both orders. The judge's view is hidden until you have voted on all criteria; M in the arena (=) shows it.",
        )
        return
    won = {name: f"{branch}/idea" if branch else "tie" for name, branch in match.results.items()}
    yield (
        "RESULT (both orders; if they differ, a tie)",
        "\n".join(f"{name:14} {idea}" for name, idea in won.items()),
    )
    yield ("ORDER A-B", str(match.straight.get("reasoning", "")))
    yield ("ORDER B-A", str(match.swapped.get("reasoning", "")))
    yield ("LENGTH RATIO", str(match.length_ratio))


def _review(state: State, address: str) -> Iterator[Part]:
    version = state.in_use(address)
    if version is None:
        return
    branch = parse_address(address).branch
    plan = f"{branch}/exp"
    review = state.content(version, ReviewContent)
    yield ("OF", f"{plan} {version_name(state, plan, review.of)}")
    if review.scores:
        yield ("SCORES", scores_text(review.scores))
    one, points = answering(state, branch), points_of(state, branch, version)
    if not points:
        yield ("", "The review has no points.")
    for p in points:
        answered = one if one and one.review.seq == version.seq else Round(version, None)
        became = point_status(state, branch, answered, p)
        why = f"\nRebutted: {answer(state, answered, p).rebuttal}" if became == "rebutted" else ""
        yield (f"{p.n}. {p.part}{' (yours)' if p.own else ''} ({became})", p.point + why)


def _arena(state: State, address: str) -> Iterator[Part]:
    if waiting := told_hidden(state):
        yield ("", f"{waiting}, or for M in the arena (=).")
    found = rankings(state)
    if not found:
        if not waiting:
            yield ("", "No matches yet.")
        return
    for ranking in found:
        yield (f"BY {ranking.by.upper()}", _ranking(ranking))
    if won := one_call_shown(state):
        yield ("", won)
    if few := too_few_shown(state):
        yield ("", f"Too few matches to rank: {few}.")
    yield (
        "YOUR IDEA",
        f"{state.pick}/idea" if state.pick else "none chosen; until then the leader is used",
    )


def _ranking(ranking: Ranking) -> str:
    """A row for each idea: Elo (mean of the criteria, averaged over the orders of the games),
    points, Bradley-Terry strength."""
    bounds = {player: f"{low:.2f} to {high:.2f}" for player, (low, high) in ranking.bounds.items()}
    rows = [
        f"{s.player}/idea  {s.average:7.1f} {s.points:7.1f} {s.strength:8.2f}  {bounds[s.player]}"
        for s in ranking.table
    ]
    return "\n".join(["idea    Elo     points  strength  95 % interval", *rows])


def _shelf(state: State, address: str) -> Iterator[Part]:
    if not state.shelf:
        yield ("", "Nothing was rejected, replaced or detached.")
    for item in state.shelf:
        paper = state.papers.get(item.paper)
        yield (
            f"{item.kind} from {item.where if item.branch else 'the session'}",
            f"{paper.title if paper else item.paper}. {item.reason or 'No reason given.'}",
        )


def _bad(state: State, address: str) -> Iterator[Part]:
    for case in state.bad.get(parse_address(address).branch, ()):
        more = [f"Shared: {case.shared}"] if case.shared else []
        yield (
            case.title,
            "\n".join([case.reason, *more, *([f"The draft: {case.idea}"] if case.idea else [])]),
        )


def _reading(state: State, address: str) -> Iterator[Part]:
    found = reading_list(state)
    for line in found.searched:
        yield ("SEARCHED", line)
    if found.note:
        yield ("NOTE", found.note)
    lines = [
        f"{e.rank:>3}  {e.year or '????'}  {e.title}\n     {e.reasons()}"
        for e in found.entries[:READING_SHOWN]
    ]
    yield ("WHAT TO READ, BEST FIRST", "\n".join(lines) or "No paper was found.")
    if len(found.entries) > READING_SHOWN:
        yield (
            "",
            f"{len(found.entries) - READING_SHOWN} more: `coi papers reading NAME --top {len(found.entries)}` shows all.",
        )


READING_SHOWN = 50
"""Papers of the reading list in the detail pane."""

_SHARED: dict[str, Callable[[State, str], Iterator[Part]]] = {
    "slot": _slot,
    "arena": _arena,
    "shelf": _shelf,
    "nov": _novelty,
    "match": _match,
    "review": _review,
    "topic": _topic,
    "reading": _reading,
    "cands": _candidates,
    "rel": _relevance,
    "bad": _bad,
    "criteria": _criteria,
}
"""Texts of the cells that all methods share, by name."""

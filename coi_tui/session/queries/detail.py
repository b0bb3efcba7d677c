"""A cell as titled parts of plain text: what the detail pane and ``coi show`` display."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from coi_tui.engine.declarations import CellKind
from coi_tui.methods.registry import SessionMethods
from coi_tui.model.address import PAIR, parse_address, place, ref, slot_of
from coi_tui.model.calls import Call
from coi_tui.model.content import CandidateList, Verdicts
from coi_tui.model.criteria import REF, Criteria, left_out
from coi_tui.model.naming import version_name
from coi_tui.model.reviewing import Round, answering, fate, points_of
from coi_tui.model.state import PDF, State
from coi_tui.paths import Paths
from coi_tui.session.papers.imported import own_pdf_held
from coi_tui.session.queries.candidates import Part, extent, paper_lines
from coi_tui.session.queries.comparisons import TOO_FEW, arena, bars, human_standings, matches_of
from coi_tui.session.queries.row import RowOrigin


@dataclass(frozen=True)
class Detail:
    """``title`` in one line; ``parts`` are (heading, text) pairs; an empty heading is running text."""

    address: str
    title: str
    parts: tuple[Part, ...]


def detail(state: State, methods: SessionMethods, address: str) -> Detail:
    """What there is to read at an address; says so where nothing has been made yet."""
    kind = methods.kind(address)
    describe = (kind.describe if kind is not None else None) or _SHARED.get(kind.name if kind is not None else "")
    parts = tuple(describe(state, address) if describe is not None else _fields(state, kind, address))
    if kind is not None and kind.name == "slot" and parse_address(address).pos == 0:
        parts += _of_branch(state, methods, address)
    if note := state.notes.get(address):
        parts += (("NOTE (you)", note),)
    return Detail(address, _title(state, kind, address), parts or (("", "Nothing has been made here yet."),))


def _of_branch(state: State, methods: SessionMethods, address: str) -> tuple[Part, ...]:
    """What there is to say of a chain, where its first paper is shown."""
    branch = str(parse_address(address).branch)
    kind = methods.kind(branch)
    held = state.slot(address).paper
    return tuple(kind.describe(state, branch)) if held in state.papers and kind is not None and kind.describe is not None else ()


def _title(state: State, kind: CellKind | None, address: str) -> str:
    at = parse_address(address)
    if at.part == "slot":
        role = "ANCHOR" if at.pos == 0 else "PREDECESSOR" if at.pos < 0 else "SUCCESSOR"
        return f"{address}  {role} of branch {at.branch}  {state.slot(address).verdict.upper()}"
    version = state.in_use(address)
    origin = {"person": "yours", "merged": "merged by you", "drafter": RowOrigin.DRAFTER.value, "source": RowOrigin.SOURCE.value}
    made = f"  {version_name(state, address, version.seq)}, {origin.get(version.origin, RowOrigin.MODEL.value)}" if version else ""
    between = f" between {place(at.pos)} and {place(at.newer)}" if at.part == PAIR else ""
    return f"{address}  {kind.title if kind is not None else at.part}{between}{made}"


def _fields(state: State, kind: CellKind | None, address: str) -> Iterator[Part]:
    """The editable fields of a cell, or whatever it holds where none are declared."""
    version = state.in_use(address)
    if version is None:
        return
    content, role = version.content, kind.role if kind is not None else ""
    if role == "summary":
        yield ("READ FROM", str(content.get("source", "")) + (f"; {content['note']}" if content.get("note") else ""))
    names = tuple(field.name for field in kind.fields) if kind is not None and kind.fields else tuple(content)
    for name in names:
        yield ("" if name == "text" else name.upper(), value_text(content.get(name)))
    if role == "question" and "note" not in names and content.get("note"):
        yield ("NOTE", str(content["note"]))
    if content.get("answers"):
        yield ("ANSWERS TO THE REVIEW", "\n".join(f"{a['point']}. {a['change']}" for a in content["answers"]))


def _topic(state: State, address: str) -> Iterator[Part]:
    yield from _fields(state, None, address)
    if said := Criteria.of(state.value(REF)).lines():
        yield ("CRITERIA (yours)", "\n".join(f"- {line}" for line in said))


def _criteria(state: State, address: str) -> Iterator[Part]:
    yield ("", "\n".join(f"- {line}" for line in Criteria.of(state.value(REF)).lines()) or "No criteria: nothing is left out.")


def value_text(value: Any) -> str:
    """A field as text: lists as lines, entities as ``name: description``."""
    if value in (None, "", [], {}):
        return "-"
    if isinstance(value, list):
        return "\n".join(f"- {_item(v)}" for v in value)
    return str(value)


def _item(value: Any) -> str:
    if isinstance(value, Mapping):
        return f"{value.get('name', '')}: {value.get('description', '')}" if value.get("description") else str(value.get("name", value))
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
    lines = list(paper_lines(paper))
    yield from lines[:2]
    yield ("WHY HERE", _why_here(state, held.why))
    if out := left_out(paper, Criteria.of(state.value(REF))):
        yield ("CRITERIA", f"your criteria leave such a paper out: {out}")
    if held.why.get("link"):
        yield ("LINK", f"{held.why['link']}" + (f" ({held.why['evidence']})" if held.why.get("evidence") else ""))
    if held.why.get("reasoning"):
        yield ("VERDICT", str(held.why["reasoning"]))
    card = state.in_use(f"{address}.card")
    if (own := state.attached.get(held.paper)) is not None:
        read = card is not None and card.inputs.get(ref(address, PDF)) == state.meaning(ref(address, PDF))
        behind = "" if read or card is None else "; the card was read without it: refresh the card"
        yield ("YOUR PDF", f"{own['file']}, attached to this paper{behind}")
    if card is not None:
        yield ("CARD", f"read from {card.content.get('source', 'a text')}: {card.content['contribution']}")
        yield ("LIMITS", str(card.content["limitation"]))
    yield from lines[2:]


def _why_here(state: State, why: Mapping[str, Any]) -> str:
    if why.get("by") == "you":
        return "put here by you"
    if "rank" not in why:
        return "-"
    if "question" in why:
        where = f"question {why['question']}"
    else:
        neighbour = state.papers.get(str(why.get("neighbour", "")))
        where = f"the papers around {neighbour.title if neighbour else why.get('neighbour')}"
    return f"rank {why['rank']} of {why['of']} for {where}; match {float(why['score']):.2f} ({why['ranked']}); {why.get('source', '')}"


def _candidates(state: State, address: str) -> Iterator[Part]:
    version = state.in_use(address)
    if version is None:
        return
    listed = state.content(version, CandidateList)
    rows = []
    for row in listed.entries:
        paper = state.papers.get(row.paper)
        link = f"  {row.link}" if row.link else ""
        readable = "" if row.readable else "  no abstract"
        out = f"  left out by your criteria: {row.left_out}" if row.left_out else ""
        rows.append(f"{row.rank:>3}  {row.score:.2f}  {row.year or '????'}  {paper.title if paper else row.paper}{link}{readable}{out}")
    reach = extent(version.content, parse_address(address).pos)
    yield (f"CANDIDATES (rank, match, year){f'   {reach}' if reach else ''}", "\n".join(rows) or "none")
    yield ("RANKED", listed.ranked)
    for t in listed.tries:
        kept = ", from the library" if t.kept else ""
        yield ("SEARCHED", f"“{t.query}” in {t.source} {t.date}: {t.hits} hits{kept}. {t.note}")
    if listed.note:
        yield ("NOTE", listed.note)


def _relevance(state: State, address: str) -> Iterator[Part]:
    judged = state.read(address, Verdicts) or Verdicts()
    for v in judged.verdicts:
        paper = state.papers.get(v.paper)
        yield (f"{'relevant' if v.relevant else 'not relevant'}: {paper.title if paper else v.paper}", v.reasoning)


def _novelty(state: State, address: str) -> Iterator[Part]:
    version = state.in_use(address)
    if version is None:
        return
    c = version.content
    counts = c["counts"]
    found = f"{counts['close match']} close match, {counts['partial']} partial, {counts['not close']} not close"
    head = f"In {c['judged']} papers searched: {found}."
    yield ("", f"INCONCLUSIVE: {c['why']}" if c["verdict"] == "INCONCLUSIVE" else f"{head} This is a search result, not proof of novelty.")
    for s in c["searches"]:
        yield ("SEARCHED", f"“{s['query']}” in {s['source']} {s['date']}: {s['hits']} hits, {s['outcome']}. {s['note']}")
    for row in c["papers"]:
        paper = state.papers.get(row["paper"])
        new = " NEW" if row.get("new") else ""
        overlap = f" (overlap: {row['overlap']})" if row["overlap"] else ""
        title = paper.title if paper else row["paper"]
        mine = state.judged.get((parse_address(address).branch, row["paper"]))
        yours = f"\nYOU: {mine}" if mine else ""
        yield (f"{row['verdict']}{new}: {title} {paper.year if paper and paper.year else ''}".rstrip(), f"{row['reason']}{overlap}{yours}")
    if c["summary"]:
        yield ("SUMMARY", str(c["summary"]))


def _match(state: State, address: str) -> Iterator[Part]:
    version = state.in_use(address)
    if version is None:
        return
    c = version.content
    words = {0: "tie", c["first"]: f"{c['first']}/idea", c["second"]: f"{c['second']}/idea"}
    yield ("RESULT (both orders; a flip is a tie)", "\n".join(f"{name:14} {words[won]}" for name, won in c["results"].items()))
    yield ("FIRST ORDER", str(c["straight"]["reasoning"]))
    yield ("SWAPPED", str(c["swapped"]["reasoning"]))
    yield ("LENGTH RATIO", str(c["length_ratio"]))


def _review(state: State, address: str) -> Iterator[Part]:
    version = state.in_use(address)
    if version is None:
        return
    branch = parse_address(address).branch
    plan = f"{branch}/exp"
    yield ("OF", f"{plan} {version_name(state, plan, int(version.content['of']))}")
    one, points = answering(state, branch), points_of(state, branch, version)
    if not points:
        yield ("", "The review has no points.")
    for p in points:
        became = fate(state, branch, one if one and one.review.seq == version.seq else Round(version, None), p)
        yield (f"{p.n}. {p.part}{' (yours)' if p.own else ''} ({became})", p.point)


def _arena(state: State, address: str) -> Iterator[Part]:
    table = arena(state)
    if not any(s.games for s in table):
        yield ("", "No matches yet.")
        return
    lines = ["idea    Elo     points  strength"]
    lines += [f"{s.player}/idea  {s.average:7.1f} {s.points:7.1f} {s.strength:8.3f}" for s in table]
    yield ("STANDINGS (mean Elo over five criteria; Bradley-Terry strength)", "\n".join(lines))
    if few := [s.player for s in table if s.games and matches_of(s) < TOO_FEW]:
        yield ("", f"Too few matches to rank: {', '.join(f'{b}/idea' for b in few)} (fewer than {TOO_FEW}).")
    scale, lines = bars(table)
    yield (f"ELO AS BARS ({scale})", "\n".join(lines))
    if mine := human_standings(state):
        yield ("BY YOUR VOTES ALONE", "\n".join(f"{b}/idea  {p:4.1f} points in {n} match{'es' if n != 1 else ''}" for b, p, n in mine))
    yield ("YOUR PICK", f"{state.pick}/idea" if state.pick else "none; the leader is used until you pick")


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
        yield (case.title, case.reason)


_SHARED: dict[str, Callable[[State, str], Iterator[Part]]] = {
    "slot": _slot, "arena": _arena, "shelf": _shelf, "nov": _novelty, "match": _match, "review": _review, "topic": _topic,
    "cands": _candidates, "rel": _relevance, "bad": _bad, "criteria": _criteria,
}  # fmt: skip
"""Texts of the cells that all methods share, by name."""


def unread_pdf(state: State, calls: Mapping[int, Call], paths: Paths, address: str) -> str:
    """A sentence on the row of a paper or its card; empty where no PDF is held, one is attached, the card is one's own, or it was read.

    A PDF that comes into the library makes no text stale, since that follows from the session alone: it is offered.
    Reads one line of a file.
    """
    if parse_address(address).part not in ("slot", "card"):
        return ""
    place = slot_of(address)
    paper, card = state.papers.get(state.slot(place).paper or ""), state.in_use(f"{place}.card")
    if paper is None or card is None or card.by_person or paper.id in state.attached:
        return ""
    held = own_pdf_held(paths, paper)
    if held is None:
        return ""
    file, pdf = held
    read = {calls[n].request.get("own_pdf") for n in card.calls if n in calls}
    return "" if pdf in read else f"{file}, in your library: the card was read without it. Refresh the card (r) to read it."


def with_unread(parts: Sequence[Part], said: str) -> tuple[Part, ...]:
    """The parts of a detail with that sentence: before what is said of the card, or after where the card was read from."""
    names = [heading for heading, _ in parts]
    at = names.index("CARD") if "CARD" in names else 1 if names[:1] == ["READ FROM"] else len(parts)
    return (*parts[:at], ("YOUR PDF", said), *parts[at:])
